create table reference_fulfillment.warehouses (
  workspace_id text not null references reference_fulfillment.workspaces (id),
  id text not null,
  name text not null,
  address text not null,
  postal_code text not null,
  is_active boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

create table reference_fulfillment.products (
  workspace_id text not null references reference_fulfillment.workspaces (id),
  id text not null,
  sku text not null,
  name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, sku)
);

create table reference_fulfillment.stock_levels (
  workspace_id text not null,
  id text not null,
  warehouse_id text not null,
  product_id text not null,
  quantity bigint not null check (quantity >= 0),
  -- How many movements there are: the number of the last one.
  movements bigint not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, product_id, warehouse_id),
  foreign key (workspace_id, warehouse_id) references reference_fulfillment.warehouses (workspace_id, id),
  foreign key (workspace_id, product_id) references reference_fulfillment.products (workspace_id, id)
);
create index stock_levels_of_warehouse on reference_fulfillment.stock_levels (workspace_id, warehouse_id);

create table reference_fulfillment.stock_movements (
  workspace_id text not null,
  id text not null,
  level_id text not null,
  seq bigint not null,
  qty_delta bigint not null check (qty_delta <> 0),
  balance_after bigint not null check (balance_after >= 0),
  reason text,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, level_id, seq),
  foreign key (workspace_id, level_id) references reference_fulfillment.stock_levels (workspace_id, id)
);

create table reference_fulfillment.licenses (
  workspace_id text not null references reference_fulfillment.workspaces (id),
  id text not null,
  key text not null,
  product text not null,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, key)
);
