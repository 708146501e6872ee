create table reference_payment.customers (
  workspace_id text not null references reference_payment.workspaces (id),
  id text not null,
  name text not null,
  email text,
  phone text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

create table reference_payment.plans (
  workspace_id text not null references reference_payment.workspaces (id),
  id text not null,
  name text not null,
  active boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

create table reference_payment.prices (
  workspace_id text not null,
  id text not null,
  plan_id text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  interval text not null check (interval in ('month', 'year')),
  active boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, plan_id) references reference_payment.plans (workspace_id, id)
);
create index prices_of_plan on reference_payment.prices (workspace_id, plan_id);

create table reference_payment.subscriptions (
  workspace_id text not null,
  id text not null,
  customer_id text not null,
  price_id text not null,
  status text not null check (status in ('active', 'past_due', 'canceled')),
  started_at timestamptz(3) not null,
  months integer not null check (months >= 1),
  current_period_start timestamptz(3) not null,
  current_period_end timestamptz(3) not null,
  cancel_at_period_end boolean not null,
  canceled_at timestamptz(3),
  latest_invoice_id text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, customer_id) references reference_payment.customers (workspace_id, id),
  foreign key (workspace_id, price_id) references reference_payment.prices (workspace_id, id),
  check ((status = 'canceled') = (canceled_at is not null))
);
create index subscriptions_of_price on reference_payment.subscriptions (workspace_id, price_id);
create index subscriptions_ends on reference_payment.subscriptions (current_period_end) where status <> 'canceled';

create table reference_payment.invoices (
  workspace_id text not null,
  id text not null,
  number text not null,
  customer_id text not null,
  subscription_id text not null,
  status text not null check (status in ('draft', 'open', 'paid', 'void')),
  lines jsonb not null,
  total bigint not null check (total > 0),
  currency text not null,
  due_date date not null,
  due_at timestamptz(3) not null,
  paid_at timestamptz(3),
  payment_id text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, number),
  foreign key (workspace_id, customer_id) references reference_payment.customers (workspace_id, id),
  check ((status = 'paid') = (paid_at is not null))
);
create index invoices_due on reference_payment.invoices (due_at) where status = 'open';

alter table reference_payment.checkout_sessions add column invoice_id text;
create unique index checkout_sessions_of_invoice on reference_payment.checkout_sessions (workspace_id, invoice_id)
  where status = 'open' and invoice_id is not null;

create table reference_payment.bank_accounts (
  workspace_id text primary key references reference_payment.workspaces (id),
  bank_name text not null,
  account_number text not null,
  account_holder text not null,
  updated_at timestamptz(3) not null
);

create table reference_payment.payouts (
  workspace_id text not null references reference_payment.workspaces (id),
  id text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  status text not null check (status in ('pending', 'processing', 'paid', 'failed', 'canceled')),
  bank_name text not null,
  account_number text not null,
  account_holder text not null,
  failure_reason text,
  paid_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  check ((status = 'paid') = (paid_at is not null))
);

-- In the order of booking: it is drawn while the workspace is locked, whatever the clocks of two processes say.
alter table reference_payment.ledger_transfers add column seq bigint generated always as identity;
create unique index ledger_transfers_order on reference_payment.ledger_transfers (workspace_id, seq);
create index ledger_transfers_days on reference_payment.ledger_transfers (workspace_id, created_at);

create table reference_payment.mails (
  id text primary key,
  workspace_id text not null references reference_payment.workspaces (id),
  receipt_id text not null,
  recipient text,
  subject text not null,
  body text not null,
  attempts integer not null,
  due_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index mails_due on reference_payment.mails (due_at) where due_at is not null;
create index mails_of_workspace on reference_payment.mails (workspace_id, created_at);
