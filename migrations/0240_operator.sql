-- Links and sessions of the operator page (docs/operations.md). Only the SHA-256 of a token is here. A link becomes a session
-- once.
create table operator_tokens (
  token_hash text primary key,
  kind text not null check (kind in ('LINK', 'SESSION')),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index operator_tokens_age on operator_tokens (expires_at);

-- The files that `kasir backup` has written. `file` is a name without its directory, or - for standard output, whose
-- size is unknown.
create table backups (
  taken_at timestamptz(3) not null,
  file text not null,
  bytes bigint,
  sound boolean not null,
  verified_at timestamptz(3),
  primary key (taken_at, file)
);
