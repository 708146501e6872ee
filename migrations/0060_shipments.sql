-- Parcels for couriers to carry. Each is at the fulfilment partner as well, which says what becomes of it.
create table shipments (
  account_id text not null references accounts,
  id text not null,
  -- The partner, and what it calls the shipment.
  partner text not null,
  provider_ref text not null,
  sale_id text,
  -- The Idempotency-Key of the request that asked for it, where no sale names it.
  request_key text,
  status text not null check (status in ('draft', 'confirmed', 'allocated', 'picking_up', 'picked', 'dropping_off',
    'delivered', 'on_hold', 'rejected', 'courier_not_found', 'cancelled', 'return_in_transit', 'returned', 'disposed')),
  destination jsonb not null,
  courier_code text not null,
  courier_name text,
  courier_service_code text not null,
  courier_service_name text,
  items jsonb not null,
  price bigint not null check (price >= 0),
  insurance_fee bigint not null check (insurance_fee >= 0),
  waybill_id text,
  tracking_url text,
  history jsonb not null,
  -- When the partner last changed it, by the clock of the partner: an older report changes nothing.
  reported_at timestamptz(3) not null,
  -- Until then somebody asks the partner to book or to cancel it.
  claimed_until timestamptz(3),
  -- When the partner is asked next what became of it; null where nothing is expected.
  check_at timestamptz(3),
  changed_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, sale_id) references sales
);
-- One for each sale, but for those that came to nothing.
create unique index shipments_live on shipments (account_id, sale_id)
  where sale_id is not null and status not in ('cancelled', 'rejected', 'courier_not_found');
create index shipments_sale on shipments (account_id, sale_id) where sale_id is not null;
create index shipments_status on shipments (account_id, status, id);
create index shipments_request on shipments (account_id, request_key) where request_key is not null;
-- A notice of the partner names a shipment by its own word.
create index shipments_ref on shipments (provider_ref);
create index shipments_check on shipments (check_at) where check_at is not null;

-- What the partner is being asked to make, kept before it is asked: an answer that is lost is asked for again under the
-- same id, and there is no shipment here before there is one there.
create table shipment_requests (
  account_id text not null references accounts,
  -- Of the shipment that it will be; its Idempotency-Key at the partner.
  id text not null,
  sale_id text,
  request_key text,
  partner text not null,
  parcel jsonb not null,
  -- Until then somebody asks the partner; past it anybody may.
  claimed_until timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, sale_id) references sales
);
create unique index shipment_requests_sale on shipment_requests (account_id, sale_id) where sale_id is not null;
create unique index shipment_requests_key on shipment_requests (account_id, request_key) where request_key is not null;
create index shipment_requests_open on shipment_requests (claimed_until);

-- Where couriers fetch the parcels of a workspace, for partners that do not keep it.
create table shipping_origins (
  account_id text not null references accounts,
  origin jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id)
);
