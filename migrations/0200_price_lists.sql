-- Customer groups and price lists (docs/behaviour.md, "Price lists").
create table customer_groups (
  account_id text not null references accounts,
  id text not null,
  name text not null check (length(name) between 1 and 80),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id)
);
create index customer_groups_by_name on customer_groups (account_id, lower(name), id);

alter table customers add column group_ids text[] not null default '{}';
-- A group that is deleted leaves its customers.
create index customers_by_group on customers using gin (group_ids);

-- A null condition always holds. `from_time` and `to_time` are HH:MM at the outlet; every end is exclusive.
create table price_lists (
  account_id text not null references accounts,
  id text not null,
  name text not null check (length(name) between 1 and 80),
  priority integer not null,
  is_active boolean not null,
  outlet_ids text[],
  order_types text[],
  channels text[],
  customer_group_ids text[],
  weekdays integer[],
  from_time text,
  to_time text,
  starts_at timestamptz(3),
  ends_at timestamptz(3),
  -- What the list charges: [{ variantId | categoryId, price | adjustBps, roundTo }].
  entries jsonb not null check (jsonb_typeof(entries) = 'array'),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id)
);

-- Another value after each write of a price list. A sale proves its settings, and its price lists with them.
alter table settings add column pricing_version text;

alter table sales add column channel text;
alter table sales add constraint sales_channel check (length(channel) <= 40);
-- The list that set the unit price; null where the catalogue or the till set it.
alter table sale_items add column price_list_id text;

alter table catalogue_changes drop constraint catalogue_changes_type_check;
alter table catalogue_changes add constraint catalogue_changes_type_check check (type in
  ('category', 'product', 'variant', 'modifierGroup', 'floor', 'table', 'member', 'outlet', 'settings', 'priceList'));
