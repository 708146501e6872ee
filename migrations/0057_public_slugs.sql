-- What a workspace is called in public addresses. A slug that was ever its own stays its own: addresses that were given away
-- keep working, and nobody else can answer at them.
create table account_slugs (
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) between 3 and 60),
  account_id text not null references accounts,
  created_at timestamptz(3) not null,
  primary key (slug)
);
create index account_slugs_account on account_slugs (account_id);
-- The one that is shown.
alter table settings add column public_slug text;
