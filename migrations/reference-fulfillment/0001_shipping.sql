-- The reference fulfillment partner: a product of its own beside the service, in a schema of its own. It names no table
-- of the service and none of the service names these.

create table reference_fulfillment.workspaces (
  id text primary key,
  external_id text unique,
  name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- The platform's own: series of numbers that all merchants share are counted here.
insert into reference_fulfillment.workspaces (id, external_id, name, created_at, updated_at)
  values ('wsp_platform', null, 'Kasir', now(), now());

create table reference_fulfillment.idempotency_keys (
  workspace_id text not null references reference_fulfillment.workspaces (id),
  key text not null,
  fingerprint text not null,
  status integer,
  body text,
  created_at timestamptz(3) not null,
  primary key (workspace_id, key)
);
create index idempotency_keys_age on reference_fulfillment.idempotency_keys (created_at);

create table reference_fulfillment.counters (
  workspace_id text not null references reference_fulfillment.workspaces (id),
  name text not null,
  value bigint not null,
  primary key (workspace_id, name)
);

create table reference_fulfillment.notices (
  id text primary key,
  workspace_id text not null references reference_fulfillment.workspaces (id),
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
create index notices_due on reference_fulfillment.notices (due_at) where status = 'pending';
create index notices_age on reference_fulfillment.notices (created_at) where status <> 'pending';

-- Where the parcels of a merchant are picked up, when a shipment says nothing else.
create table reference_fulfillment.origins (
  workspace_id text primary key references reference_fulfillment.workspaces (id),
  place jsonb not null,
  updated_at timestamptz(3) not null
);

create table reference_fulfillment.shipments (
  workspace_id text not null references reference_fulfillment.workspaces (id),
  id text not null,
  token text not null unique,
  reference text,
  status text not null check (status in ('draft', 'confirmed', 'allocated', 'picking_up', 'picked', 'dropping_off',
    'delivered', 'on_hold', 'rejected', 'courier_not_found', 'cancelled', 'return_in_transit', 'returned', 'disposed')),
  -- Where it goes on from once a hold is over.
  held_from text,
  origin jsonb not null,
  destination jsonb not null,
  courier_code text not null,
  courier_service_code text not null,
  chargeable_weight bigint not null check (chargeable_weight > 0),
  price bigint not null check (price > 0),
  insured_amount bigint not null check (insured_amount >= 0),
  insurance_fee bigint not null check (insurance_fee >= 0),
  items jsonb not null,
  metadata jsonb not null,
  history jsonb not null,
  waybill_id text unique,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  check ((status = 'on_hold') = (held_from is not null))
);
create index shipments_references on reference_fulfillment.shipments (workspace_id, reference, id) where reference is not null;
