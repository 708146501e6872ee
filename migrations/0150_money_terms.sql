-- Tax per product, service charge, cash rounding and open items (docs/behaviour.md). A null is the default: one tax rate,
-- no service charge, no rounding. Rows of earlier sales stay as they are.

alter table products add column tax_rate_bps integer;
alter table products add constraint products_tax_rate check (tax_rate_bps between 0 and 10000);

alter table outlets
  add column service_charge_bps integer not null default 0,
  add column service_charge_order_types text[] not null default '{DINE_IN}',
  add column service_charge_base text not null default 'AFTER_DISCOUNT',
  add column service_charge_taxable boolean not null default true,
  add column cash_rounding jsonb not null default '{"step": 0, "mode": "NEAREST"}';
alter table outlets add constraint outlets_service_charge check (service_charge_bps between 0 and 3000);
alter table outlets add constraint outlets_service_order_types
  check (service_charge_order_types <@ array['DINE_IN', 'TAKEAWAY', 'DELIVERY']);
alter table outlets add constraint outlets_service_base
  check (service_charge_base in ('AFTER_DISCOUNT', 'BEFORE_DISCOUNT'));
alter table outlets add constraint outlets_cash_rounding check (
  cash_rounding ->> 'step' in ('0', '50', '100', '500', '1000') and cash_rounding ->> 'mode' in ('NEAREST', 'DOWN', 'UP'));

alter table settings add column open_items boolean not null default true;

-- The terms of the service charge and its figures as the sale froze them. `taxes` lists what is taxed at each rate; null
-- means that everything is taxed at `tax_rate_bps` and that there is no service charge.
alter table sales
  add column service_charge_bps integer,
  add column service_charge_base_kind text,
  add column service_charge_taxable boolean,
  add column service_charge_base bigint,
  add column service_charge_amount bigint,
  add column service_charge_tax bigint,
  add column service_charge_waived boolean not null default false,
  add column taxes jsonb,
  add column cash_rounding jsonb,
  add column rounding_total bigint not null default 0,
  add column refunded_service bigint not null default 0;
alter table sales add constraint sales_service_charge check (
  num_nulls(service_charge_bps, service_charge_base_kind, service_charge_taxable, service_charge_base,
    service_charge_amount, service_charge_tax) in (0, 6)
  and service_charge_base_kind in ('AFTER_DISCOUNT', 'BEFORE_DISCOUNT')
  and least(service_charge_base, service_charge_amount, service_charge_tax, refunded_service) >= 0);
alter table sales add constraint sales_terms
  check (jsonb_typeof(taxes) = 'array' and jsonb_typeof(cash_rounding) = 'object');

-- An open item has neither variant nor product. `tax_rate_bps` is null where the rate is that of the sale. `service_share`
-- is the item's part of the service charge with its tax.
alter table sale_items
  add column tax_rate_bps integer,
  add column service_share bigint not null default 0,
  alter column variant_id drop not null,
  alter column product_id drop not null;
alter table sale_items add constraint sale_items_goods check ((variant_id is null) = (product_id is null));
alter table sale_items add constraint sale_items_tax_rate check (tax_rate_bps between 0 and 10000);
alter table sale_items add constraint sale_items_service check (service_share >= 0);

-- What cash that was handed over, or paid out, differs from the amount.
alter table payments add column rounding bigint not null default 0;
alter table payments add constraint payments_rounding check (rounding = 0 or method = 'CASH');
alter table refunds
  add column service bigint not null default 0,
  add column rounding bigint not null default 0,
  add column taxes jsonb;
alter table refunds add constraint refunds_service check (service >= 0);
alter table refunds add constraint refunds_taxes check (jsonb_typeof(taxes) = 'array');
-- The part of `amount` that returns the service charge with its tax.
alter table refund_lines add column service bigint not null default 0;
alter table refund_lines add constraint refund_lines_service check (service >= 0);

alter table report_figures
  add column service bigint not null default 0,
  add column refunded_service bigint not null default 0,
  add column rounding bigint not null default 0,
  add column refunded_rounding bigint not null default 0;
create table report_taxes (
  account_id text not null,
  outlet_id text not null,
  day date not null,
  rate_bps integer not null,
  tax bigint not null,
  refunded_tax bigint not null,
  primary key (account_id, outlet_id, day, rate_bps)
) with (fillfactor = 60);
-- Figures by rate are made from the sales with all others: the worker begins anew, and reports read the sales meanwhile.
delete from report_outlets;

-- What was given back also has a part of the service charge.
alter table sales drop constraint sales_check2;
alter table sales add constraint sales_refunded
  check (refunded_goods + refunded_tax + refunded_service + refunded_delivery_fee <= total);
alter table refunds drop constraint refunds_check;
alter table refunds add constraint refunds_parts
  check (kind <> 'REFUND' or amount = goods + tax + service + delivery_fee);
