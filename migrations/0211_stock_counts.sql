-- Stock counts, the reasons of adjustments, and the average cost after a receipt (docs/behaviour.md, chapter Stock counts).

create table stock_counts (
  account_id text not null,
  id text not null,
  outlet_id text not null,
  -- Only goods of these categories are counted; null means all goods.
  category_ids text[],
  blind boolean not null,
  status text not null default 'OPEN' check (status in ('OPEN', 'POSTED', 'CANCELLED')),
  created_by text not null,
  posted_by text,
  posted_at timestamptz(3),
  cancelled_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, outlet_id) references outlets on delete cascade,
  check ((status = 'POSTED') = (posted_at is not null) and (posted_at is null) = (posted_by is null)),
  check ((status = 'CANCELLED') = (cancelled_at is not null))
);
create index stock_counts_outlet on stock_counts (account_id, outlet_id, id);

-- What was counted last, beside the level at that moment. `posted` is what the post moved: the difference, or 0 for goods
-- that have no stock any more.
create table stock_count_lines (
  account_id text not null,
  count_id text not null,
  variant_id text not null,
  quantity integer not null check (quantity >= 0),
  expected integer not null,
  counted_by text not null,
  counted_at timestamptz(3) not null,
  posted integer,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, count_id, variant_id),
  foreign key (account_id, count_id) references stock_counts on delete cascade,
  foreign key (account_id, variant_id) references variants on delete cascade
);
create index stock_count_lines_variant on stock_count_lines (account_id, variant_id);

-- `average_cost` is the unit cost of the variant after a receipt: what its stock is worth from then on.
alter table stock_movements
  add column reason_code text,
  add column stock_count_id text,
  add column average_cost bigint;
alter table stock_movements add constraint stock_movements_reason_code check (
  reason_code is null or (reason_code in ('COUNT', 'WASTE', 'DAMAGE', 'OWN_USE', 'OTHER') and type = 'ADJUSTMENT'));
