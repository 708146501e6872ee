-- The other outlet of a transfer, kept by name only: it may be deleted later, and the half that stays then tells why it is
-- alone. Null on movements of other kinds, and on transfers older than this column.
alter table stock_movements add column counter_outlet_id text;

-- Units of a line that went onto a level when they were received. Goods that were not tracked at that time moved none.
alter table purchase_order_items add column stocked_qty integer not null default 0 check (stocked_qty >= 0);

update purchase_order_items i set stocked_qty = m.qty from (
  select account_id, purchase_order_id, variant_id, sum(qty_delta) as qty from stock_movements
  where purchase_order_id is not null and type = 'PURCHASE' group by account_id, purchase_order_id, variant_id) m
where m.account_id = i.account_id and m.purchase_order_id = i.purchase_order_id and m.variant_id = i.variant_id;
