-- The reference payment partner: a product of its own beside the service, in a schema of its own. It names no table of
-- the service and none of the service names these.

create table reference_payment.workspaces (
  id text primary key,
  external_id text unique,
  name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- The platform's own: what it sells to the workspaces is paid here.
insert into reference_payment.workspaces (id, external_id, name, created_at, updated_at)
  values ('wsp_platform', null, 'Kasir', now(), now());

create table reference_payment.idempotency_keys (
  workspace_id text not null references reference_payment.workspaces (id),
  key text not null,
  fingerprint text not null,
  status integer,
  body text,
  created_at timestamptz(3) not null,
  primary key (workspace_id, key)
);
create index idempotency_keys_age on reference_payment.idempotency_keys (created_at);

create sequence reference_payment.va_numbers;

create table reference_payment.checkout_sessions (
  workspace_id text not null references reference_payment.workspaces (id),
  id text not null,
  token text not null unique,
  amount bigint not null check (amount > 0),
  currency text not null check (currency in ('IDR', 'USD')),
  method text not null check (method in ('qris', 'va', 'hosted')),
  status text not null check (status in ('open', 'completed', 'expired', 'canceled', 'failed')),
  description text,
  metadata jsonb not null,
  return_url text,
  qr_string text,
  va_number text unique,
  va_bank text,
  payment_id text,
  paid_at timestamptz(3),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  check ((status = 'completed') = (payment_id is not null)),
  check ((payment_id is null) = (paid_at is null)),
  check ((method = 'qris') = (qr_string is not null)),
  check ((method = 'va') = (va_number is not null))
);
create index checkout_sessions_ends on reference_payment.checkout_sessions (expires_at) where status = 'open';

create table reference_payment.payments (
  workspace_id text not null,
  id text not null,
  session_id text not null,
  amount bigint not null check (amount > 0),
  fee bigint not null check (fee between 0 and amount),
  currency text not null,
  method text not null,
  description text,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, session_id),
  foreign key (workspace_id, session_id) references reference_payment.checkout_sessions (workspace_id, id)
);
create index payments_days on reference_payment.payments (workspace_id, created_at);

create table reference_payment.counters (
  workspace_id text not null references reference_payment.workspaces (id),
  name text not null,
  value bigint not null,
  primary key (workspace_id, name)
);

create table reference_payment.receipts (
  workspace_id text not null,
  id text not null,
  number text not null,
  payment_id text not null,
  issued_at timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, number),
  unique (workspace_id, payment_id),
  foreign key (workspace_id, payment_id) references reference_payment.payments (workspace_id, id)
);

-- A transfer takes from one account what it gives to another, so the accounts of a workspace always add up to zero.
-- Only `clearing`, the money of others that the partner holds at its bank, may be below zero.
create table reference_payment.ledger_balances (
  workspace_id text not null references reference_payment.workspaces (id),
  currency text not null,
  account text not null check (account in ('clearing', 'balance', 'fees', 'payouts')),
  balance bigint not null check (account = 'clearing' or balance >= 0),
  primary key (workspace_id, currency, account)
);

create table reference_payment.ledger_transfers (
  workspace_id text not null references reference_payment.workspaces (id),
  id text not null,
  type text not null,
  currency text not null,
  from_account text not null,
  to_account text not null,
  amount bigint not null check (amount > 0),
  from_balance bigint not null,
  to_balance bigint not null,
  source_id text not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, source_id, type),
  check ((type, from_account, to_account) in (
    ('payment', 'clearing', 'balance'), ('fee', 'balance', 'fees'), ('payout', 'balance', 'payouts'),
    ('payout_settlement', 'payouts', 'clearing'), ('payout_failure', 'payouts', 'balance'),
    ('payout_cancellation', 'payouts', 'balance')))
);

create function reference_payment.refuse_change() returns trigger language plpgsql as
  $$ begin raise exception 'the ledger is only added to'; end $$;
create trigger ledger_transfers_stay before update or delete on reference_payment.ledger_transfers
  for each row execute function reference_payment.refuse_change();

create table reference_payment.notices (
  id text primary key,
  workspace_id text not null references reference_payment.workspaces (id),
  type text not null,
  body text not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null,
  due_at timestamptz(3) not null,
  last_status integer,
  last_error text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index notices_due on reference_payment.notices (due_at) where status = 'pending';
create index notices_age on reference_payment.notices (created_at) where status <> 'pending';
