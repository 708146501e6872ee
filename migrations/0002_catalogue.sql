-- Cascades spare the deletion of a record without sales from naming every dependent; nothing relies on them to be right:
-- what has history is held by plain foreign keys and is deactivated instead.

create table outlets (
  account_id text not null references accounts,
  id text not null,
  name text not null check (length(name) between 1 and 120),
  address text,
  phone text,
  timezone text not null default 'Asia/Jakarta',
  tax_rate_bps integer not null default 0 check (tax_rate_bps between 0 and 10000),
  tax_inclusive boolean not null default false,
  receipt_header text,
  receipt_footer text,
  is_active boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id)
);

create table categories (
  account_id text not null references accounts,
  id text not null,
  name text not null check (length(name) between 1 and 80),
  sort_order integer not null default 0 check (sort_order between 0 and 1000000),
  station text check (length(station) between 1 and 40),
  is_active boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id)
);

create table products (
  account_id text not null references accounts,
  id text not null,
  name text not null check (length(name) between 1 and 160),
  description text,
  category_id text,
  kind text not null default 'GOODS' check (kind in ('GOODS', 'SERVICE')),
  track_stock boolean not null default true,
  requires_batch boolean not null default false,
  image_url text,
  station text check (length(station) between 1 and 40),
  is_active boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, category_id) references categories,
  check (kind = 'GOODS' or not track_stock),
  check (track_stock or not requires_batch)
);
create index products_category on products (account_id, category_id);
create index products_by_name on products (account_id, lower(name), id);

create table variants (
  account_id text not null,
  id text not null,
  product_id text not null,
  name text not null default 'Default' check (length(name) between 1 and 80),
  sku text,
  barcode text,
  price bigint not null check (price between 0 and 1000000000),
  cost bigint not null default 0 check (cost between 0 and 1000000000),
  sort_order integer not null default 0 check (sort_order between 0 and 1000000),
  is_composite boolean not null default false,
  is_active boolean not null default true,
  -- A copy of "this variant and its product are active": uniqueness of codes needs both in one row.
  is_live boolean not null default true,
  -- Product name, variant name, sku and barcode in lower case: the one text that search reads.
  search_text text not null default '',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, product_id) references products on delete cascade
) with (fillfactor = 85);
create index variants_product on variants (account_id, product_id);
create unique index variants_sku on variants (account_id, sku) where is_live and sku is not null;
create unique index variants_barcode on variants (account_id, barcode) where is_live and barcode is not null;
-- Codes of variants that are not live, which many may share: the list and an import look them up too.
create index variants_sku_at_rest on variants (account_id, sku) where not is_live and sku is not null;
create index variants_barcode_at_rest on variants (account_id, barcode) where not is_live and barcode is not null;
-- Search walks these (decision 0011): prefixes in order, then trigrams inside one workspace. No pending list:
-- after an import every search would read it from end to end.
create index variants_name_prefix on variants (account_id, search_text collate "C") where is_live;
create index variants_sku_prefix on variants (account_id, lower(sku) collate "C") where is_live and sku is not null;
create index variants_search on variants using gin (account_id, search_text gin_trgm_ops) with (fastupdate = off) where is_live;

create table recipe_components (
  account_id text not null,
  id text not null,
  variant_id text not null,
  component_variant_id text not null,
  quantity integer not null check (quantity between 1 and 1000000),
  unit text,
  sort_order integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, variant_id) references variants on delete cascade,
  foreign key (account_id, component_variant_id) references variants,
  check (variant_id <> component_variant_id)
);
create unique index recipe_components_once on recipe_components (account_id, variant_id, component_variant_id);
create index recipe_components_used on recipe_components (account_id, component_variant_id);

create table modifier_groups (
  account_id text not null references accounts,
  id text not null,
  name text not null check (length(name) between 1 and 80),
  min_select integer not null default 0 check (min_select between 0 and 50),
  max_select integer check (max_select between 1 and 50),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  check (max_select is null or max_select >= min_select)
);

create table modifiers (
  account_id text not null,
  id text not null,
  group_id text not null,
  name text not null check (length(name) between 1 and 80),
  price bigint not null default 0 check (price between 0 and 1000000000),
  sort_order integer not null default 0 check (sort_order between 0 and 1000000),
  is_active boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, group_id) references modifier_groups on delete cascade
);
create index modifiers_group on modifiers (account_id, group_id);

create table product_modifier_groups (
  account_id text not null,
  product_id text not null,
  group_id text not null,
  sort_order integer not null,
  primary key (account_id, product_id, group_id),
  foreign key (account_id, product_id) references products on delete cascade,
  foreign key (account_id, group_id) references modifier_groups on delete cascade
);
create index product_modifier_groups_group on product_modifier_groups (account_id, group_id);
