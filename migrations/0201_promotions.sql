-- Promotions and vouchers (docs/behaviour.md, "Promotions"). Conditions are those of a price list.
create table promotions (
  account_id text not null references accounts,
  id text not null,
  name text not null check (length(name) between 1 and 80),
  priority integer not null,
  is_active boolean not null,
  stackable boolean not null,
  kind text not null check (kind in ('PERCENT', 'AMOUNT', 'BUY_X_GET_Y', 'BUNDLE')),
  percent_bps integer check (percent_bps between 1 and 10000),
  amount bigint check (amount > 0),
  buy_quantity integer check (buy_quantity > 0),
  get_quantity integer check (get_quantity > 0),
  -- [{ variantId | categoryId, quantity }]
  bundle jsonb check (jsonb_typeof(bundle) = 'array'),
  bundle_price bigint check (bundle_price >= 0),
  variant_ids text[],
  category_ids text[],
  min_spend bigint check (min_spend > 0),
  code text,
  -- The code in upper case, as codes are compared.
  code_key text,
  usage_limit integer check (usage_limit > 0),
  used_count integer not null default 0 check (used_count >= 0),
  once_per_customer boolean not null,
  outlet_ids text[],
  order_types text[],
  channels text[],
  customer_group_ids text[],
  weekdays integer[],
  from_time text,
  to_time text,
  starts_at timestamptz(3),
  ends_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id)
);
create unique index promotions_by_code on promotions (account_id, code_key) where code_key is not null;

-- A use of a voucher, or of a promotion once per customer, by a completed sale. A void deletes it.
create table promotion_uses (
  account_id text not null,
  promotion_id text not null,
  sale_id text not null,
  customer_id text,
  created_at timestamptz(3) not null,
  primary key (account_id, promotion_id, sale_id),
  foreign key (account_id, promotion_id) references promotions on delete cascade
);
create index promotion_uses_of_customer on promotion_uses (account_id, customer_id, promotion_id)
  where customer_id is not null;
create index promotion_uses_of_sale on promotion_uses (account_id, sale_id);

-- What the sale froze: [{ id, name, amount }] and the codes it was sent; null where there are none. `promotions` of an item are
-- [{ id, amount }], and `promotion_share` is their sum.
alter table sales
  add column promotions jsonb,
  add column voucher_codes jsonb;
alter table sales add constraint sales_promotions
  check (jsonb_typeof(promotions) = 'array' and jsonb_typeof(voucher_codes) = 'array');
alter table sale_items
  add column promotions jsonb,
  add column promotion_share bigint not null default 0;
alter table sale_items add constraint sale_items_promotions
  check (promotion_share >= 0 and jsonb_typeof(promotions) = 'array');

alter table catalogue_changes drop constraint catalogue_changes_type_check;
alter table catalogue_changes add constraint catalogue_changes_type_check check (type in
  ('category', 'product', 'variant', 'modifierGroup', 'floor', 'table', 'member', 'outlet', 'settings', 'priceList',
    'promotion'));
