-- What merchants paid in advance for shipping: one row for each workspace, and every change to it.
create table reference_fulfillment.credit_balances (
  workspace_id text primary key references reference_fulfillment.workspaces (id),
  balance bigint not null check (balance >= 0),
  -- How many entries there are: the number of the last one.
  entries bigint not null
);

create table reference_fulfillment.credit_topups (
  workspace_id text not null references reference_fulfillment.workspaces (id),
  id text not null,
  token text not null unique,
  amount bigint not null check (amount > 0),
  status text not null check (status in ('open', 'paid', 'canceled')),
  return_url text,
  paid_at timestamptz(3),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  check ((status = 'paid') = (paid_at is not null))
);
create index credit_topups_age on reference_fulfillment.credit_topups (created_at) where status <> 'paid';

create table reference_fulfillment.credit_entries (
  workspace_id text not null,
  id text not null,
  seq bigint not null,
  type text not null,
  amount bigint not null,
  balance_after bigint not null check (balance_after >= 0),
  shipment_id text,
  topup_id text,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, seq),
  foreign key (workspace_id, shipment_id) references reference_fulfillment.shipments (workspace_id, id),
  foreign key (workspace_id, topup_id) references reference_fulfillment.credit_topups (workspace_id, id),
  check (
    (type = 'sandbox' and amount > 0 and shipment_id is null and topup_id is null)
    or (type = 'topup' and amount > 0 and shipment_id is null and topup_id is not null)
    or (type = 'shipment' and amount < 0 and shipment_id is not null and topup_id is null)
    or (type = 'refund' and amount > 0 and shipment_id is not null and topup_id is null)
  )
);
-- A shipment is paid once and given back once, a top-up counts once.
create unique index credit_entries_of_shipment on reference_fulfillment.credit_entries (workspace_id, shipment_id, type)
  where shipment_id is not null;
create unique index credit_entries_of_topup on reference_fulfillment.credit_entries (workspace_id, topup_id)
  where topup_id is not null;

-- Workspaces that are there already begin like new ones.
insert into reference_fulfillment.credit_balances (workspace_id, balance, entries)
  select id, 1000000, 1 from reference_fulfillment.workspaces;
insert into reference_fulfillment.credit_entries (workspace_id, id, seq, type, amount, balance_after, created_at)
  select id, 'cre_' || upper(substr(md5(id), 1, 26)), 1, 'sandbox', 1000000, 1000000, now()
    from reference_fulfillment.workspaces;
