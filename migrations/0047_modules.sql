-- The modules of a workspace; without a row a module was never switched on. Its place at the partner is kept when it is
-- switched off, so that switching it on again finds everything there.
create table modules (
  account_id text not null references accounts,
  module text not null check (module in ('payment', 'fulfillment', 'marketing')),
  enabled boolean not null,
  -- Which partner the key below belongs to, and the workspace's name there.
  partner text,
  partner_workspace_id text,
  -- The key of the workspace at that partner, sealed.
  partner_key text,
  provisioned_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, module),
  check ((partner is null) = (partner_workspace_id is null)),
  check ((partner is null) = (partner_key is null)),
  check ((partner is null) = (provisioned_at is null))
);
