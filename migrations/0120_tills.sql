-- Browsers that were enrolled as tills. The cookie of a till carries a random secret, of which only the SHA-256 is here.
create table tills (
  account_id text not null,
  id text not null,
  outlet_id text not null,
  name text not null,
  secret_hash text not null,
  enrolled_by text not null,
  last_seen_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, outlet_id) references outlets on delete cascade
);
create index tills_outlet on tills (account_id, outlet_id);
-- The sweep finds what was revoked long ago.
create index tills_age on tills (revoked_at) where revoked_at is not null;

-- A session that began with a PIN ends with its till.
alter table sessions add column till_id text;
alter table sessions add constraint sessions_till foreign key (account_id, till_id) references tills on delete cascade;
create index sessions_of_till on sessions (account_id, till_id) where till_id is not null;

-- The random key of a workspace that its PINs are hashed with, sealed.
create table pin_keys (
  account_id text primary key,
  key text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- The PIN of a member: `pin_hash` by Argon2id, and `pin_mac`, which is equal for equal PINs of one workspace.
create table member_pins (
  account_id text not null,
  member_id text not null,
  pin_hash text not null,
  pin_mac text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, member_id),
  foreign key (account_id, member_id) references members on delete cascade
);
create unique index member_pins_mac on member_pins (account_id, pin_mac);

-- Who used a PIN at which till, and when last: a till may send what its members sold while it was offline.
create table till_members (
  account_id text not null,
  till_id text not null,
  member_id text not null,
  last_used_at timestamptz(3) not null,
  primary key (account_id, till_id, member_id),
  foreign key (account_id, till_id) references tills on delete cascade,
  foreign key (account_id, member_id) references members on delete cascade
);
create index till_members_member on till_members (account_id, member_id);

-- Approvals that were given and not used yet; a used one is deleted.
create table approvals (
  account_id text not null,
  id text not null,
  token_hash text not null,
  till_id text not null,
  member_id text not null,
  action text not null,
  subject_id text,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, till_id) references tills on delete cascade,
  foreign key (account_id, member_id) references members on delete cascade
);
create unique index approvals_token on approvals (account_id, token_hash);
create index approvals_of_till on approvals (account_id, till_id);
create index approvals_of_member on approvals (account_id, member_id);
create index approvals_age on approvals (expires_at);

-- Which actions of a cashier need an approval.
alter table settings add column approvals jsonb not null default '{}';
alter table settings add constraint settings_approvals check (jsonb_typeof(approvals) = 'object');

-- The member who approved it; null where none was needed.
alter table sales add column approved_by text;
alter table refunds add column approved_by text;
alter table cash_movements add column approved_by text;
