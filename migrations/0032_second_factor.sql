-- The second factor of a member: the shared secret of an authenticator app (RFC 6238), sealed. It counts once it was
-- confirmed with a code; `last_step` is the latest time step whose code was used, and neither it nor an earlier one is
-- taken again.
create table second_factors (
  account_id text not null,
  member_id text not null,
  secret text not null,
  confirmed_at timestamptz(3),
  last_step bigint,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, member_id),
  foreign key (account_id, member_id) references members on delete cascade
);

-- For a phone that is lost: each code works once, and only its SHA-256 is here.
create table recovery_codes (
  account_id text not null,
  member_id text not null,
  code_hash text not null,
  created_at timestamptz(3) not null,
  primary key (account_id, member_id, code_hash),
  foreign key (account_id, member_id) references second_factors on delete cascade
);

-- Whether the session began with a second factor, of the member's own or at the provider they signed in with.
alter table sessions add column second_factor boolean not null default false;

-- Whether owners and managers must have one.
alter table settings add column second_factor_required boolean not null default false;
