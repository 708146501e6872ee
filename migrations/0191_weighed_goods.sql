-- Goods sold by weight (docs/behaviour.md, B-weight-1): quantities are grams, prices and costs are per kilogram. An item keeps
-- how its goods are sold; null means by the unit. `label_price` is the price on its label, which is then its gross.
alter table variants add column sold_by text not null default 'UNIT';
alter table variants add constraint variants_sold_by check (sold_by in ('UNIT', 'WEIGHT'));
alter table sale_items
  add column sold_by text,
  add column label_price bigint;
alter table sale_items add constraint sale_items_sold_by check (sold_by = 'WEIGHT');
alter table sale_items add constraint sale_items_label_price
  check (label_price is null or (label_price >= 0 and sold_by is not null and pack is null));
alter table purchase_order_items add column sold_by text;
alter table purchase_order_items add constraint purchase_order_items_sold_by check (sold_by = 'WEIGHT');
-- How the barcodes of the scales are read.
alter table settings add column scale_barcodes jsonb not null default '[]';
alter table settings add constraint settings_scale_barcodes check (jsonb_typeof(scale_barcodes) = 'array');
