-- Several barcodes and packs of a variant (docs/behaviour.md, B-pack-1). `barcode` stays the first barcode; null means none.

alter table variants
  add column other_barcodes jsonb,
  add column packs jsonb;
alter table variants add constraint variants_other_barcodes
  check (jsonb_typeof(other_barcodes) = 'array' and (barcode is not null or other_barcodes is null));
alter table variants add constraint variants_packs check (jsonb_typeof(packs) = 'array');
-- Whether a pack exists is asked of the few variants that have packs.
create index variants_with_packs on variants (account_id, id) where packs is not null;

-- Every barcode of a live variant and of its packs: one name space, in which each barcode has one owner.
create table variant_barcodes (
  account_id text not null,
  barcode text not null,
  variant_id text not null,
  pack_id text,
  primary key (account_id, barcode),
  foreign key (account_id, variant_id) references variants on delete cascade
);
create index variant_barcodes_variant on variant_barcodes (account_id, variant_id);
insert into variant_barcodes (account_id, barcode, variant_id)
  select account_id, barcode, id from variants where is_live and barcode is not null;

-- The pack in which an item was sold or ordered, as it was then. Quantities of such an item count packs, except
-- `stocked_qty`, which counts units like the movements.
alter table sale_items add column pack jsonb;
alter table sale_items add constraint sale_items_pack check (jsonb_typeof(pack) = 'object');
alter table purchase_order_items add column pack jsonb;
alter table purchase_order_items add constraint purchase_order_items_pack check (jsonb_typeof(pack) = 'object');
-- Loose units and packs of one variant are separate items of an order.
drop index purchase_order_items_once;
create unique index purchase_order_items_once
  on purchase_order_items (account_id, purchase_order_id, variant_id, coalesce(pack ->> 'id', ''));
