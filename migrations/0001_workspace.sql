-- The workspace and who may enter it. Every primary key and unique index starts with account_id, so a row can
-- never point across workspaces; the two lookup tables that cannot know the account yet stand alone.

create extension if not exists pg_trgm;
-- Lets one index hold the workspace beside the trigrams of a text.
create extension if not exists btree_gin;

create table accounts (
  account_id text primary key,
  name text not null check (length(name) between 1 and 120),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table settings (
  account_id text not null references accounts,
  id text not null,
  business_name text not null check (length(business_name) between 1 and 120),
  business_type text not null default 'GENERAL' check (business_type in ('RETAIL', 'FNB', 'PHARMACY', 'GENERAL')),
  currency text not null default 'IDR' check (currency = 'IDR'),
  transfer_bank_name text,
  transfer_bank_account_number text,
  transfer_bank_account_holder text,
  loyalty_rupiah_per_point bigint not null default 10000 check (loyalty_rupiah_per_point >= 0),
  negative_stock text not null default 'ALLOW' check (negative_stock in ('ALLOW', 'BLOCK')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id)
);

create table members (
  account_id text not null references accounts,
  id text not null,
  email text not null,
  name text not null,
  role text not null check (role in ('OWNER', 'MANAGER', 'CASHIER')),
  password_hash text,
  invite_hash text,
  invite_expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id)
);

-- Sign-in knows an address, not a workspace; one address signs in to one workspace.
create table member_emails (
  email text primary key,
  account_id text not null,
  member_id text not null
);

-- Mails on their way to the mail server, written with what they tell of, sealed, and removed once handed over.
create table mails (
  account_id text not null references accounts,
  id text not null,
  body text not null,
  attempts integer not null default 0 check (attempts >= 0),
  due_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (account_id, id)
);

create index mails_due on mails (due_at);

create table sessions (
  account_id text not null,
  id text not null,
  member_id text not null,
  token_hash text not null,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, member_id) references members
);
create unique index sessions_token on sessions (account_id, token_hash);
-- The sweep finds what has ended.
create index sessions_age on sessions (expires_at);

create table api_keys (
  account_id text not null references accounts,
  id text not null,
  name text not null check (length(name) between 1 and 120),
  prefix text not null,
  hash text not null,
  read_only boolean not null default false,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3),
  primary key (account_id, id)
);
create unique index api_keys_hash on api_keys (account_id, hash);

-- Failed sign-ins, counted where every process sees them. Keyed by address or IP, so it stands alone.
create table login_failures (
  subject text not null,
  id text not null,
  failed_at timestamptz(3) not null,
  primary key (subject, id)
);
create index login_failures_age on login_failures (failed_at);

create table idempotency_keys (
  account_id text not null,
  key text not null,
  fingerprint text not null,
  status integer not null,
  body text not null,
  created_at timestamptz(3) not null,
  primary key (account_id, key)
);
create index idempotency_keys_age on idempotency_keys using brin (created_at);

create table events (
  account_id text not null,
  id text not null,
  type text not null,
  ref_id text not null,
  body text not null,
  created_at timestamptz(3) not null,
  primary key (account_id, id)
);
-- The last guard of exactly-once completion: a sale can announce its completion only once.
create unique index events_completed_once on events (account_id, ref_id) where type = 'service.sale.completed.v1';
-- Who erases a customer finds what was announced of them; no event of a sale enters it.
create index events_of_customer on events (account_id, ref_id) where type like 'service.customer.%';

-- Running numbers per workspace (purchase orders); receipt numbers have their own row per outlet and day.
create table counters (
  account_id text not null references accounts,
  name text not null,
  value bigint not null check (value >= 0),
  primary key (account_id, name)
);
