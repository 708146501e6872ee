-- What a till has to read again. Each write of goods, tables, members or settings moves the version of its workspace and
-- notes the records that it changed. No sale touches these rows.
create table catalogue_versions (
  account_id text primary key,
  version bigint not null,
  -- Random: a version of books that a restore has replaced is unknown.
  tag text not null,
  updated_at timestamptz(3) not null
);

-- Versions that `since` accepts.
create table catalogue_steps (
  account_id text not null,
  version bigint not null,
  tag text not null,
  created_at timestamptz(3) not null,
  primary key (account_id, version)
);
create index catalogue_steps_age on catalogue_steps (created_at);

-- The version that changed a record last, also of a record that is gone.
create table catalogue_changes (
  account_id text not null,
  type text not null check (type in
    ('category', 'product', 'variant', 'modifierGroup', 'floor', 'table', 'member', 'outlet', 'settings')),
  id text not null,
  version bigint not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, type, id)
);
create index catalogue_changes_version on catalogue_changes (account_id, version);
create index catalogue_changes_age on catalogue_changes (updated_at);
