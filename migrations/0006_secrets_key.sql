-- Which key the secrets at rest are sealed with, told without telling the key: one installation has one, and a process
-- that holds another does not start. Rotation will keep an older one beside it under a name of its own.

create table secrets_keys (
  name text primary key check (name in ('current')),
  key_id text not null,
  check_value text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
