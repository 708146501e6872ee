-- Figures of reports by outlet and local day, kept by a worker that follows the log of events behind the sales
-- (docs/decisions/0017-reports.md). They are worth nothing without the sales and can be made again from them at any time,
-- so they refer to nothing: no sale ever waits for a row of a report.

-- How far the log has been counted in: all below `tx`, and of `tx` all up to `event_id`. Numbers of transactions mean
-- something in one cluster only, and events are kept for a quarter: another cluster or an old position starts over.
create table report_positions (
  account_id text primary key,
  cluster text not null,
  tx xid8 not null,
  event_id text not null,
  rolled_at timestamptz(3) not null
);

-- From `since` on the figures of the outlet are kept, by the clock of `timezone`; what is older is still to be made.
create table report_outlets (
  account_id text not null,
  outlet_id text not null,
  timezone text not null,
  since date not null,
  primary key (account_id, outlet_id)
);

-- `key` is the hour of the day (00 to 23) for HOUR, whoever sold or paid out for CASHIER, and empty for DAY.
create table report_figures (
  account_id text not null,
  outlet_id text not null,
  lens text not null check (lens in ('DAY', 'HOUR', 'CASHIER')),
  day date not null,
  key text not null,
  sales_count bigint not null,
  gross bigint not null,
  discounts bigint not null,
  tax bigint not null,
  included_tax bigint not null,
  delivery_fees bigint not null,
  total bigint not null,
  refund_count bigint not null,
  refunded_goods bigint not null,
  refunded_tax bigint not null,
  refunded_delivery_fees bigint not null,
  void_count bigint not null,
  primary key (account_id, outlet_id, lens, day, key)
) with (fillfactor = 60);

create table report_methods (
  account_id text not null,
  outlet_id text not null,
  day date not null,
  method text not null,
  count bigint not null,
  amount bigint not null,
  refunds bigint not null,
  primary key (account_id, outlet_id, day, method)
) with (fillfactor = 60);

-- Revenue is after discounts and before tax. `uncosted` is the part of it that moved no stock, so nothing is known of what
-- it cost.
create table report_goods (
  account_id text not null,
  outlet_id text not null,
  day date not null,
  product_id text not null,
  quantity bigint not null,
  revenue bigint not null,
  cost bigint not null,
  uncosted bigint not null,
  returned_quantity bigint not null,
  returned_revenue bigint not null,
  returned_cost bigint not null,
  primary key (account_id, outlet_id, day, product_id)
) with (fillfactor = 60);

-- The part of a day at the edge of a report is read from the sales themselves, and so are the lists behind its figures.
create index sales_completed on sales (account_id, outlet_id, completed_at) where completed_at is not null;
create index sales_voided_at on sales (account_id, outlet_id, voided_at) where voided_at is not null;
create index refunds_created on refunds (account_id, created_at);
