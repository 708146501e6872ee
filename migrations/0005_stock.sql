create table stock_levels (
  account_id text not null,
  outlet_id text not null,
  variant_id text not null,
  id text not null,
  quantity integer not null,
  reorder_point integer check (reorder_point >= 0),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, outlet_id, variant_id),
  foreign key (account_id, outlet_id) references outlets on delete cascade,
  foreign key (account_id, variant_id) references variants on delete cascade
) with (fillfactor = 70);
create index stock_levels_variant on stock_levels (account_id, variant_id);

-- Append-only: a level is always the sum of its movements.
create table stock_movements (
  account_id text not null,
  id text not null,
  outlet_id text not null,
  variant_id text not null,
  type text not null check (type in ('PURCHASE', 'SALE', 'REFUND', 'VOID', 'ADJUSTMENT', 'TRANSFER_OUT', 'TRANSFER_IN')),
  qty_delta integer not null check (qty_delta <> 0),
  balance_after integer not null,
  batch_id text,
  transaction_id text,
  refund_id text,
  purchase_order_id text,
  transfer_id text,
  unit_cost bigint,
  reason text,
  actor_id text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, outlet_id, variant_id) references stock_levels on delete cascade
);
create index stock_movements_variant on stock_movements (account_id, variant_id, id);

create table stock_batches (
  account_id text not null,
  id text not null,
  outlet_id text not null,
  variant_id text not null,
  batch_no text,
  expiry_date date,
  received_qty integer not null check (received_qty > 0),
  remaining_qty integer not null check (remaining_qty >= 0),
  cost bigint not null default 0 check (cost >= 0),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, outlet_id) references outlets on delete cascade,
  foreign key (account_id, variant_id) references variants on delete cascade
);
-- One row per number and date at an outlet; null equals null.
create unique index stock_batches_same on stock_batches (account_id, outlet_id, variant_id, batch_no, expiry_date) nulls not distinct;
create index stock_batches_expiry on stock_batches (account_id, expiry_date) where remaining_qty > 0;

create table purchase_orders (
  account_id text not null,
  id text not null,
  number text not null,
  outlet_id text not null,
  supplier_id text,
  status text not null default 'DRAFT' check (status in ('DRAFT', 'ORDERED', 'PARTIALLY_RECEIVED', 'RECEIVED', 'CANCELLED')),
  total bigint not null check (total >= 0),
  note text,
  ordered_at timestamptz(3),
  received_at timestamptz(3),
  cancelled_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, outlet_id) references outlets on delete cascade,
  foreign key (account_id, supplier_id) references suppliers
);
create unique index purchase_orders_number on purchase_orders (account_id, number);

create table purchase_order_items (
  account_id text not null,
  purchase_order_id text not null,
  id text not null,
  position integer not null,
  variant_id text not null,
  qty integer not null check (qty between 1 and 1000000),
  received_qty integer not null default 0,
  cost bigint not null check (cost between 0 and 1000000000),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, purchase_order_id, id),
  foreign key (account_id, purchase_order_id) references purchase_orders on delete cascade,
  foreign key (account_id, variant_id) references variants,
  check (received_qty between 0 and qty)
);
create unique index purchase_order_items_once on purchase_order_items (account_id, purchase_order_id, variant_id);
create index purchase_order_items_variant on purchase_order_items (account_id, variant_id);
