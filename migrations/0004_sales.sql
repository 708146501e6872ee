-- The books of the till. Narrow indexes only: every one of them is paid for on each sale.

-- Receipt numbers run per outlet and local day. The row is the hottest lock of an outlet: taken last, held briefly.
create table outlet_days (
  account_id text not null,
  outlet_id text not null,
  day date not null,
  last_number integer not null,
  primary key (account_id, outlet_id, day)
) with (fillfactor = 50);

create table sales (
  account_id text not null,
  id text not null,
  number text not null,
  outlet_id text not null,
  shift_id text,
  customer_id text,
  table_id text,
  order_type text check (order_type in ('DINE_IN', 'TAKEAWAY', 'DELIVERY')),
  status text not null check (status in ('PARKED', 'COMPLETED', 'VOIDED')),
  note text,
  item_count integer not null check (item_count >= 0),
  subtotal bigint not null check (subtotal >= 0),
  discount_total bigint not null check (discount_total >= 0),
  order_discount bigint not null check (order_discount >= 0),
  promo_discount bigint not null default 0 check (promo_discount >= 0),
  tax_rate_bps integer not null,
  tax_inclusive boolean not null,
  tax_total bigint not null check (tax_total >= 0),
  delivery_fee bigint not null check (delivery_fee >= 0),
  total bigint not null check (total between 0 and 1000000000000),
  paid_total bigint not null check (paid_total between 0 and total),
  change_total bigint not null check (change_total >= 0),
  refunded_goods bigint not null default 0 check (refunded_goods >= 0),
  refunded_tax bigint not null default 0 check (refunded_tax >= 0),
  refunded_delivery_fee bigint not null default 0 check (refunded_delivery_fee >= 0),
  -- Points given at completion and the rate then in force; what was taken back follows from the refunds.
  points_earned bigint not null default 0,
  loyalty_rupiah_per_point bigint,
  discount_code text,
  redeem_points bigint,
  delivery_draft jsonb,
  delivery_status text,
  shipment_id text,
  -- True while the kitchen has something of this sale to cook or to serve.
  kitchen_open boolean not null default false,
  version integer not null default 1,
  cashier_id text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  completed_at timestamptz(3),
  voided_at timestamptz(3),
  void_reason text,
  primary key (account_id, id),
  foreign key (account_id, outlet_id) references outlets,
  foreign key (account_id, shift_id) references shifts,
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, table_id) references dining_tables,
  check (status <> 'COMPLETED' or paid_total = total),
  check (refunded_goods + refunded_tax + refunded_delivery_fee <= total)
);
create index sales_outlet on sales (account_id, outlet_id, id);
create index sales_parked on sales (account_id, outlet_id, table_id) where status = 'PARKED';
create index sales_table on sales (account_id, table_id) where table_id is not null;
create index sales_shift on sales (account_id, shift_id, id) where shift_id is not null;
create index sales_customer on sales (account_id, customer_id, id) where customer_id is not null;
create index sales_kitchen on sales (account_id, outlet_id, id) where kitchen_open;

create table sale_items (
  account_id text not null,
  sale_id text not null,
  id text not null,
  position integer not null,
  variant_id text not null,
  product_id text not null,
  product_name text not null,
  variant_name text not null,
  sku text,
  quantity integer not null check (quantity >= 0),
  unit_price bigint not null check (unit_price >= 0),
  modifiers jsonb,
  modifiers_total bigint not null default 0 check (modifiers_total >= 0),
  discount bigint not null check (discount >= 0),
  order_discount_share bigint not null check (order_discount_share >= 0),
  tax_amount bigint not null check (tax_amount >= 0),
  line_total bigint not null check (line_total >= 0),
  note text,
  refunded_qty integer not null default 0,
  refunded_value bigint not null default 0 check (refunded_value >= 0),
  refunded_tax bigint not null default 0 check (refunded_tax >= 0),
  restocked_qty integer not null default 0,
  -- True once the line took its units (or its components) from stock: what a void or restock gives back.
  moved_stock boolean not null default false,
  components jsonb,
  batches jsonb,
  station text,
  kitchen_status text not null default 'NEW' check (kitchen_status in ('NEW', 'PREPARING', 'READY', 'SERVED')),
  kitchen_updated_at timestamptz(3),
  is_active boolean not null default true,
  cancelled_qty integer not null default 0 check (cancelled_qty >= 0),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, sale_id, id),
  foreign key (account_id, sale_id) references sales,
  foreign key (account_id, variant_id) references variants,
  check (refunded_qty between 0 and quantity),
  check (restocked_qty between 0 and quantity)
);
create index sale_items_variant on sale_items (account_id, variant_id);
-- A kitchen screen names a line alone, also one served long ago; without this that is a scan of all lines.
create index sale_items_id on sale_items (account_id, id);

create table payments (
  account_id text not null,
  sale_id text not null,
  id text not null,
  method text not null check (method in ('CASH', 'QRIS', 'VA', 'CARD', 'TRANSFER', 'GIFT_CARD', 'OTHER')),
  amount bigint not null check (amount >= 0),
  tendered bigint,
  change bigint not null default 0 check (change >= 0),
  reference text,
  provider_ref text,
  status text not null check (status in ('PENDING', 'PAID', 'FAILED')),
  verified boolean not null default false,
  applied boolean not null default true,
  gift_card_id text,
  shift_id text,
  refunded_amount bigint not null default 0 check (refunded_amount between 0 and amount),
  paid_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, sale_id, id),
  foreign key (account_id, sale_id) references sales,
  foreign key (account_id, shift_id) references shifts
);
create unique index payments_pending_ref on payments (account_id, provider_ref) where provider_ref is not null and status = 'PENDING';
create index payments_shift on payments (account_id, shift_id) where shift_id is not null;

create table refunds (
  account_id text not null,
  id text not null,
  sale_id text not null,
  -- REFUND by a cashier; VOID and DISCARD are the reversals that give tenders back without a refund record of their own.
  kind text not null default 'REFUND' check (kind in ('REFUND', 'VOID', 'DISCARD')),
  amount bigint not null check (amount >= 0),
  goods bigint not null check (goods >= 0),
  tax bigint not null check (tax >= 0),
  delivery_fee bigint not null check (delivery_fee >= 0),
  method text,
  restock boolean not null default false,
  gift_card_id text,
  reason text,
  shift_id text,
  actor_id text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, sale_id) references sales,
  foreign key (account_id, shift_id) references shifts,
  check (kind <> 'REFUND' or amount = goods + tax + delivery_fee)
);
create index refunds_sale on refunds (account_id, sale_id);
create index refunds_shift on refunds (account_id, shift_id) where shift_id is not null;

create table refund_lines (
  account_id text not null,
  refund_id text not null,
  sale_id text not null,
  item_id text not null,
  qty integer not null check (qty > 0),
  amount bigint not null check (amount >= 0),
  primary key (account_id, refund_id, item_id),
  foreign key (account_id, refund_id) references refunds,
  foreign key (account_id, sale_id, item_id) references sale_items
);
-- A line that leaves a bill asks here whether it was refunded.
create index refund_lines_item on refund_lines (account_id, sale_id, item_id);

-- What a refund, void or discard paid out, by method; payment_id is null where money left by another way than it came.
create table refund_tenders (
  account_id text not null,
  refund_id text not null,
  position integer not null,
  method text not null,
  amount bigint not null check (amount > 0),
  payment_id text,
  gift_card_id text,
  primary key (account_id, refund_id, position),
  foreign key (account_id, refund_id) references refunds
);

create table loyalty_entries (
  account_id text not null,
  id text not null,
  customer_id text not null,
  type text not null check (type in ('EARN', 'REDEEM', 'ADJUST', 'REVERSE')),
  points bigint not null,
  balance_after bigint not null,
  transaction_id text,
  refund_id text,
  reason text,
  actor_id text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, customer_id) references customers
);
create index loyalty_entries_customer on loyalty_entries (account_id, customer_id, id);
create unique index loyalty_entries_earn_once on loyalty_entries (account_id, transaction_id) where type = 'EARN';

create table gift_cards (
  account_id text not null references accounts,
  id text not null,
  code text not null,
  -- Upper-case code without dashes: how a code is compared.
  code_key text not null,
  kind text not null check (kind in ('GIFT_CARD', 'STORE_CREDIT')),
  initial_amount bigint not null check (initial_amount > 0),
  balance bigint not null check (balance >= 0),
  status text not null check (status in ('ACTIVE', 'REDEEMED', 'VOIDED')),
  customer_id text,
  note text,
  source_refund_id text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  voided_at timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, customer_id) references customers,
  check (status <> 'VOIDED' or balance = 0),
  check (status <> 'REDEEMED' or balance = 0),
  check (status <> 'ACTIVE' or balance > 0)
);
create unique index gift_cards_code on gift_cards (account_id, code_key);
create index gift_cards_customer on gift_cards (account_id, customer_id, id) where customer_id is not null;
create unique index gift_cards_refund on gift_cards (account_id, source_refund_id) where source_refund_id is not null;

create table gift_card_entries (
  account_id text not null,
  id text not null,
  gift_card_id text not null,
  type text not null check (type in ('ISSUE', 'REDEEM', 'REFUND', 'VOID')),
  amount bigint not null,
  balance_after bigint not null check (balance_after >= 0),
  transaction_id text,
  payment_id text,
  refund_id text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, gift_card_id) references gift_cards
);
create index gift_card_entries_card on gift_card_entries (account_id, gift_card_id, id);

-- Codes that nobody issued, counted per credential where every process sees them (guess limit).
create table gift_card_misses (
  account_id text not null,
  actor_id text not null,
  id text not null,
  missed_at timestamptz(3) not null,
  primary key (account_id, actor_id, id)
);
create index gift_card_misses_age on gift_card_misses (missed_at);
