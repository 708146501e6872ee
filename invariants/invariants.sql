-- What may never be true of the books. Each query returns the rows that break its sentence, for every workspace;
-- on a sound database all of them return nothing. Run by `npm run invariants`, `kasir doctor`, `kasir backup`,
-- `kasir restore` and after every test file. A state that the service leaves between two commits breaks none of them.
-- now() stands for the moment the books are from: a restore replaces it with the moment of the backup.

-- sales: no figure of a sale is negative
select account_id, id from sales
where least(subtotal, discount_total, order_discount, promo_discount, tax_total, delivery_fee, total, paid_total, change_total) < 0;

-- sales: the subtotal of a sale is the sum of its active lines after their discounts and promotions
select s.account_id, s.id, s.subtotal from sales s
left join sale_items i on i.account_id = s.account_id and i.sale_id = s.id and i.is_active
group by s.account_id, s.id
having s.subtotal <> coalesce(sum(case
    when i.sold_by is null or i.pack is not null then (i.unit_price + i.modifiers_total) * i.quantity
    else coalesce(i.label_price, (2 * i.unit_price * i.quantity + 1000) / 2000) + i.modifiers_total
  end - i.discount - i.promotion_share), 0);

-- sales: every discount of a sale is accounted for
select s.account_id, s.id, s.discount_total from sales s
left join sale_items i on i.account_id = s.account_id and i.sale_id = s.id and i.is_active
group by s.account_id, s.id
having s.discount_total <> coalesce(sum(i.discount + i.promotion_share), 0) + s.order_discount + s.promo_discount
  or s.order_discount + s.promo_discount <> coalesce(sum(i.order_discount_share), 0);

-- sales: each promotion of a sale is the sum of its parts of the active lines
select t.account_id, t.id, t.promotion_id from (
  select s.account_id, s.id, x.id as promotion_id, x.amount from sales s,
    lateral jsonb_to_recordset(s.promotions) as x(id text, amount bigint)
  union all
  select i.account_id, i.sale_id, x.id, -x.amount from sale_items i,
    lateral jsonb_to_recordset(i.promotions) as x(id text, amount bigint)
  where i.is_active
) t group by t.account_id, t.id, t.promotion_id having sum(t.amount) <> 0;

-- sales: the share of a line in promotions is the sum of its parts
select t.account_id, t.sale_id, t.id from (
  select i.account_id, i.sale_id, i.id, i.promotion_share as amount from sale_items i
  union all
  select i.account_id, i.sale_id, i.id, -x.amount from sale_items i,
    lateral jsonb_to_recordset(i.promotions) as x(id text, amount bigint)
) t group by t.account_id, t.sale_id, t.id having sum(t.amount) <> 0;

-- sales: a promotion counts the completed sales that used it
select p.account_id, p.id, p.used_count from promotions p
left join promotion_uses u on u.account_id = p.account_id and u.promotion_id = p.id
group by p.account_id, p.id having p.used_count <> count(u.sale_id);

-- sales: only a completed sale uses a promotion
select u.account_id, u.promotion_id, u.sale_id from promotion_uses u
left join sales s on s.account_id = u.account_id and s.id = u.sale_id
where s.status is distinct from 'COMPLETED';

-- sales: the total of a sale follows from its subtotal, discount, tax, service charge and delivery fee
select account_id, id, total from sales
where total <> subtotal - order_discount - promo_discount + delivery_fee + coalesce(service_charge_amount, 0)
  + case when tax_inclusive then coalesce(service_charge_tax, 0) else tax_total end;

-- sales: the lines of a sale with their service charge and its delivery fee make its total
select s.account_id, s.id, s.total from sales s
left join sale_items i on i.account_id = s.account_id and i.sale_id = s.id and i.is_active
group by s.account_id, s.id
having s.total <> coalesce(sum(i.line_total + i.service_share), 0) + s.delivery_fee;

-- sales: the tax of a sale is the tax of its lines and of its service charge
select s.account_id, s.id, s.tax_total from sales s
left join sale_items i on i.account_id = s.account_id and i.sale_id = s.id and i.is_active
group by s.account_id, s.id
having s.tax_total <> coalesce(sum(i.tax_amount), 0) + coalesce(s.service_charge_tax, 0);

-- sales: the service charge of a sale is its rate of its base, and its lines share it with its tax
select s.account_id, s.id, s.service_charge_amount from sales s
left join sale_items i on i.account_id = s.account_id and i.sale_id = s.id and i.is_active
group by s.account_id, s.id
having coalesce(s.service_charge_amount + s.service_charge_tax, 0) <> coalesce(sum(i.service_share), 0)
  or s.service_charge_amount <> (s.service_charge_base * s.service_charge_bps + 5000) / 10000
  or s.service_charge_base <> case
    when not s.tax_inclusive then s.subtotal - s.order_discount - s.promo_discount
      + case s.service_charge_base_kind when 'BEFORE_DISCOUNT' then s.discount_total else 0 end
    when s.service_charge_base_kind = 'AFTER_DISCOUNT' then s.total - s.tax_total - s.service_charge_amount - s.delivery_fee
    else s.service_charge_base end;

-- sales: base and tax of each rate of a sale are those of its lines of the rate, and of its taxed service charge at the rate of the sale
select t.account_id, t.id, t.rate_bps from (
  select s.account_id, s.id, x."rateBps" as rate_bps, x.base, x.tax from sales s,
    lateral jsonb_to_recordset(s.taxes) as x("rateBps" int, base bigint, tax bigint)
  union all
  select s.account_id, s.id, s.tax_rate_bps, -s.service_charge_amount, -s.service_charge_tax from sales s
  where s.taxes is not null and s.service_charge_taxable
  union all
  select s.account_id, s.id, coalesce(i.tax_rate_bps, s.tax_rate_bps), i.tax_amount - i.line_total, -i.tax_amount from sales s
  join sale_items i on i.account_id = s.account_id and i.sale_id = s.id and i.is_active
  where s.taxes is not null) t
group by t.account_id, t.id, t.rate_bps having sum(t.tax) <> 0 or sum(t.base) <> 0;

-- sales: a sale that lists no rates has one rate and no service charge
select s.account_id, s.id from sales s
where s.taxes is null and (s.service_charge_bps is not null or exists (select from sale_items i
  where i.account_id = s.account_id and i.sale_id = s.id and i.is_active and i.tax_rate_bps is not null));

-- sales: an open item moves no stock
select account_id, sale_id, id from sale_items where variant_id is null and (moved_stock or restocked_qty <> 0);

-- sales: a cancelled line counts nowhere
select account_id, sale_id, id from sale_items
where not is_active and (quantity <> 0 or discount <> 0 or line_total <> 0 or moved_stock or refunded_qty <> 0);

-- sales: what a sale was paid is the sum of its PAID tenders
select s.account_id, s.id, s.paid_total from sales s
left join payments p on p.account_id = s.account_id and p.sale_id = s.id and p.status = 'PAID' and p.applied
group by s.account_id, s.id having s.paid_total <> coalesce(sum(p.amount), 0);

-- sales: a completed sale is paid in full, waits for no tender and knows when it completed
select s.account_id, s.id from sales s
where s.status = 'COMPLETED' and (s.paid_total <> s.total or s.completed_at is null
  or exists (select from payments p where p.account_id = s.account_id and p.sale_id = s.id and p.status = 'PENDING'));

-- sales: change comes from cash only and never exceeds what was handed over
select account_id, sale_id, id from payments
where change <> 0 and (method <> 'CASH' or tendered is null or change <> tendered - amount - rounding);

-- sales: cash that is rounded makes a multiple of the step of its sale, and differs by less than the step
select p.account_id, p.sale_id, p.id, p.rounding from payments p
join sales s on s.account_id = p.account_id and s.id = p.sale_id
where p.rounding <> 0 and (s.cash_rounding is null
  or (s.cash_rounding ->> 'step')::bigint <= abs(p.rounding)
  or (p.amount + p.rounding) % (s.cash_rounding ->> 'step')::bigint <> 0);

-- sales: the rounding of a sale is that of its tenders
select s.account_id, s.id, s.rounding_total from sales s
left join payments p on p.account_id = s.account_id and p.sale_id = s.id and p.status = 'PAID' and p.applied
group by s.account_id, s.id having s.rounding_total <> coalesce(sum(p.rounding), 0);

-- sales: cash of a refund is rounded by the rule of its sale, and a void or discard returns the rounding that came in
select r.account_id, r.id, r.rounding from refunds r
join sales s on s.account_id = r.account_id and s.id = r.sale_id
left join refund_tenders t on t.account_id = r.account_id and t.refund_id = r.id and t.method = 'CASH'
group by r.account_id, r.id, s.account_id, s.id
having r.kind = 'REFUND' and r.rounding <> 0 and (s.cash_rounding is null
    or (s.cash_rounding ->> 'step')::bigint <= abs(r.rounding)
    or (coalesce(sum(t.amount), 0) + r.rounding) % (s.cash_rounding ->> 'step')::bigint <> 0)
  or r.kind <> 'REFUND' and r.rounding <> s.rounding_total;

-- sales: the change of a sale is the change of its tenders
select s.account_id, s.id, s.change_total from sales s
left join payments p on p.account_id = s.account_id and p.sale_id = s.id and p.status = 'PAID'
group by s.account_id, s.id having s.change_total <> coalesce(sum(p.change), 0);

-- sales: refunds of a sale are what the sale says, part by part, and never more than it cost
select s.account_id, s.id from sales s
left join refunds r on r.account_id = s.account_id and r.sale_id = s.id and r.kind = 'REFUND'
group by s.account_id, s.id
having s.refunded_goods <> coalesce(sum(r.goods), 0) or s.refunded_tax <> coalesce(sum(r.tax), 0)
  or s.refunded_service <> coalesce(sum(r.service), 0) or s.refunded_service > coalesce(s.service_charge_amount, 0)
  or s.refunded_delivery_fee <> coalesce(sum(r.delivery_fee), 0)
  or s.refunded_tax > s.tax_total or s.refunded_delivery_fee > s.delivery_fee
  or s.refunded_goods > s.total - s.tax_total - coalesce(s.service_charge_amount, 0) - s.delivery_fee;

-- sales: the tax of a refund is that of its rates
select t.account_id, t.id from (
  select account_id, id, tax from refunds where taxes is not null
  union all
  select r.account_id, r.id, -x.tax from refunds r, lateral jsonb_to_recordset(r.taxes) as x(tax bigint)) t
group by t.account_id, t.id having sum(t.tax) <> 0;

-- sales: no rate gives back more tax than it took
select t.account_id, t.id, t.rate_bps from (
  select s.account_id, s.id, x."rateBps" as rate_bps, x.tax from sales s,
    lateral jsonb_to_recordset(s.taxes) as x("rateBps" int, tax bigint)
  union all
  select r.account_id, r.sale_id, x."rateBps", -x.tax from refunds r,
    lateral jsonb_to_recordset(r.taxes) as x("rateBps" int, tax bigint)) t
group by t.account_id, t.id, t.rate_bps having sum(t.tax) < 0;

-- sales: no line is refunded beyond what was sold, and its refunds are its lines of refunds
select i.account_id, i.sale_id, i.id from sale_items i
left join refund_lines l on l.account_id = i.account_id and l.sale_id = i.sale_id and l.item_id = i.id
group by i.account_id, i.sale_id, i.id
having i.refunded_qty <> coalesce(sum(l.qty), 0) or i.refunded_qty > i.quantity
  or i.refunded_value <> coalesce(sum(l.amount), 0) or i.refunded_value > i.line_total + i.service_share
  or coalesce(sum(l.service), 0) > i.service_share or i.refunded_tax > i.tax_amount;

-- sales: what a refund, void or discard pays out is its amount
select r.account_id, r.id, r.amount from refunds r
left join refund_tenders t on t.account_id = r.account_id and t.refund_id = r.id
group by r.account_id, r.id having r.amount <> coalesce(sum(t.amount), 0);

-- sales: the tenders of a sale carry what was given back
select s.account_id, s.id from sales s
join (select account_id, sale_id, sum(amount) as given from refunds group by 1, 2) r on r.account_id = s.account_id and r.sale_id = s.id
left join (select account_id, sale_id, sum(refunded_amount) as carried from payments group by 1, 2) p
  on p.account_id = s.account_id and p.sale_id = s.id
where r.given <> coalesce(p.carried, 0);

-- sales: a voided sale gave everything back once
select s.account_id, s.id from sales s
left join refunds r on r.account_id = s.account_id and r.sale_id = s.id
where s.status = 'VOIDED'
group by s.account_id, s.id
having coalesce(sum(r.amount), 0) <> s.paid_total or count(*) filter (where r.kind = 'REFUND') > 0 or count(r.id) > 1;

-- sales: a completed sale announced its completion once, an open one never; events are kept for 90 days
select s.account_id, s.id from sales s
left join events e on e.account_id = s.account_id and e.ref_id = s.id and e.type = 'service.sale.completed.v1'
group by s.account_id, s.id
having count(e.id) > case when s.completed_at is null then 0 else 1 end
  or count(e.id) = 0 and s.completed_at > now() - interval '89 days';

-- sales: receipt numbers of an outlet are unique and its day counted all of them
select account_id, outlet_id, number from sales group by 1, 2, 3 having count(*) > 1;

-- stock: a level is the sum of its movements
select l.account_id, l.outlet_id, l.variant_id, l.quantity from stock_levels l
left join stock_movements m on m.account_id = l.account_id and m.outlet_id = l.outlet_id and m.variant_id = l.variant_id
group by l.account_id, l.outlet_id, l.variant_id having l.quantity <> coalesce(sum(m.qty_delta), 0);

-- stock: the movements of a level form one chain from nothing to the level
select account_id, outlet_id, variant_id, balance from (
  select account_id, outlet_id, variant_id, balance_after as balance, 1 as step from stock_movements
  union all select account_id, outlet_id, variant_id, balance_after - qty_delta, -1 from stock_movements
  union all select account_id, outlet_id, variant_id, quantity, -1 from stock_levels
  union all select account_id, outlet_id, variant_id, 0, 1 from stock_levels) ends
group by 1, 2, 3, 4 having sum(step) <> 0;

-- stock: no batch holds less than nothing or more than came in by it
select account_id, id, remaining_qty, received_qty from stock_batches where remaining_qty < 0 or remaining_qty > received_qty;

-- stock: batches of a product that needs them never hold more than its level
select b.account_id, b.outlet_id, b.variant_id, sum(b.remaining_qty) as batched from stock_batches b
join variants v on v.account_id = b.account_id and v.id = b.variant_id
join products p on p.account_id = v.account_id and p.id = v.product_id and p.requires_batch
left join stock_levels l on l.account_id = b.account_id and l.outlet_id = b.outlet_id and l.variant_id = b.variant_id
group by b.account_id, b.outlet_id, b.variant_id having sum(b.remaining_qty) > coalesce(max(l.quantity), 0);

-- stock: a transfer is goods that left and the same goods that came, unless one of its outlets was deleted since
select m.account_id, m.transfer_id, m.variant_id from stock_movements m
left join outlets o on o.account_id = m.account_id and o.id = m.counter_outlet_id
where m.type in ('TRANSFER_OUT', 'TRANSFER_IN') or m.transfer_id is not null
group by m.account_id, m.transfer_id, m.variant_id
having m.transfer_id is null or count(*) > 2 or (count(*) = 2 and sum(m.qty_delta) <> 0) or (count(*) = 1 and count(o.id) = 1);

-- stock: services never move
select m.account_id, m.id from stock_movements m
join variants v on v.account_id = m.account_id and v.id = m.variant_id
join products p on p.account_id = v.account_id and p.id = v.product_id
where p.kind = 'SERVICE';

-- stock: a composite holds none of its own
select l.account_id, l.outlet_id, l.variant_id, l.quantity from stock_levels l
join variants v on v.account_id = l.account_id and v.id = l.variant_id
where v.is_composite and l.quantity <> 0;

-- sales: a bill moves no stock before it completes, and a voided sale nothing in sum but what had no stock to return to
select t.account_id, t.id, t.variant_id from (
  select s.account_id, s.id, s.completed_at, m.variant_id, sum(m.qty_delta) as moved from sales s
  join stock_movements m on m.account_id = s.account_id and m.transaction_id = s.id
  where s.status <> 'COMPLETED'
  group by s.account_id, s.id, s.completed_at, m.variant_id
) t
where t.completed_at is null or (t.moved <> 0 and not exists (
  select from sale_items i where i.account_id = t.account_id and i.sale_id = t.id and i.moved_stock and (
    (i.variant_id = t.variant_id and i.components is null and i.restocked_qty = 0)
    or i.components @> jsonb_build_array(jsonb_build_object('variantId', t.variant_id, 'stayed', true)))));

-- stock: a posted count moved the differences of its lines, and only those
select l.account_id, l.count_id, l.variant_id from stock_count_lines l
left join stock_movements m on m.account_id = l.account_id and m.stock_count_id = l.count_id and m.variant_id = l.variant_id
group by l.account_id, l.count_id, l.variant_id, l.quantity, l.expected, l.posted
having coalesce(sum(m.qty_delta), 0) <> coalesce(l.posted, 0) or coalesce(l.posted, 0) not in (0, l.quantity - l.expected);

-- stock: a movement that names a count is an adjustment by a posted count
select m.account_id, m.id from stock_movements m
left join stock_counts c on c.account_id = m.account_id and c.id = m.stock_count_id
where m.stock_count_id is not null
  and (c.status is distinct from 'POSTED' or m.reason_code is distinct from 'COUNT' or m.type <> 'ADJUSTMENT');

-- stock: an order never received more than it asked for, and its ledger agrees
select i.account_id, i.purchase_order_id, i.variant_id from (
  select account_id, purchase_order_id, variant_id, sum(stocked_qty) as stocked,
    bool_or(received_qty > qty or stocked_qty > received_qty * coalesce((pack ->> 'factor')::bigint, 1)) as is_beyond
  from purchase_order_items group by account_id, purchase_order_id, variant_id) i
left join (
  select account_id, purchase_order_id, variant_id, sum(qty_delta) as moved from stock_movements
  where type = 'PURCHASE' and purchase_order_id is not null group by account_id, purchase_order_id, variant_id) m
  on m.account_id = i.account_id and m.purchase_order_id = i.purchase_order_id and m.variant_id = i.variant_id
where i.is_beyond or coalesce(m.moved, 0) <> i.stocked;

-- sales: an item that moved stock took its quantity, in units of its pack, or its recipe as often
select t.account_id, t.sale_id, t.variant_id from (
  select i.account_id, i.sale_id, i.variant_id, i.quantity * coalesce((i.pack ->> 'factor')::bigint, 1) as units
  from sale_items i where i.moved_stock and i.components is null
  union all
  select i.account_id, i.sale_id, c."variantId", i.quantity * coalesce((i.pack ->> 'factor')::bigint, 1) * c.quantity
  from sale_items i, lateral jsonb_to_recordset(i.components) as c("variantId" text, quantity bigint, tracked boolean)
  where i.moved_stock and c.tracked
  union all
  select m.account_id, m.transaction_id, m.variant_id, m.qty_delta from stock_movements m
  where m.type = 'SALE' and m.transaction_id is not null) t
join variants v on v.account_id = t.account_id and v.id = t.variant_id
group by t.account_id, t.sale_id, t.variant_id having sum(t.units) <> 0;

-- stock: the barcodes in use are those of the live variants and of their packs
select t.account_id, t.variant_id, t.barcode from (
  select b.account_id, b.variant_id, b.barcode, coalesce(b.pack_id, '') as pack_id, 1 as step from variant_barcodes b
  union all
  select v.account_id, v.id, v.barcode, '', -1 from variants v where v.is_live and v.barcode is not null
  union all
  select v.account_id, v.id, o.barcode, '', -1 from variants v, lateral jsonb_array_elements_text(v.other_barcodes) as o(barcode)
  where v.is_live
  union all
  select v.account_id, v.id, p.barcode, p.id, -1 from variants v, lateral jsonb_to_recordset(v.packs) as p(id text, barcode text)
  where v.is_live and p.barcode is not null) t
group by t.account_id, t.variant_id, t.barcode, t.pack_id having sum(t.step) <> 0;

-- cards: the balance of a card is the sum of its entries (what lies at a partner is the partner's to know)
select c.account_id, c.id, c.balance from gift_cards c
left join gift_card_entries e on e.account_id = c.account_id and e.gift_card_id = c.id
where c.partner_card_id is null
group by c.account_id, c.id having c.balance <> coalesce(sum(e.amount), 0);

-- cards: a card tells by its status whether it holds money
select account_id, id, status, balance from gift_cards where (status = 'ACTIVE') <> (balance > 0);

-- cards: the entries of a card form one chain from nothing to its balance
select ends.account_id, ends.gift_card_id, ends.balance from (
  select account_id, gift_card_id, balance_after as balance, 1 as step from gift_card_entries
  union all select account_id, gift_card_id, balance_after - amount, -1 from gift_card_entries
  union all select account_id, id, balance, -1 from gift_cards
  union all select account_id, id, 0, 1 from gift_cards) ends
join gift_cards c on c.account_id = ends.account_id and c.id = ends.gift_card_id and c.partner_card_id is null
group by 1, 2, 3 having sum(step) <> 0;

-- cards: a card is issued once and voided at most once, which leaves nothing on it
select e.account_id, e.gift_card_id from gift_card_entries e
join gift_cards c on c.account_id = e.account_id and c.id = e.gift_card_id and c.partner_card_id is null
group by e.account_id, e.gift_card_id, c.status
having count(*) filter (where e.type = 'ISSUE') <> 1
  or (count(*) filter (where e.type = 'VOID') = 1) <> (c.status = 'VOIDED')
  or count(*) filter (where e.type = 'VOID' and e.balance_after <> 0) > 0;

-- cards: a card tender has its one debit
select p.account_id, p.sale_id, p.id from payments p
left join gift_card_entries e on e.account_id = p.account_id and e.payment_id = p.id and e.type = 'REDEEM'
  and e.gift_card_id = p.gift_card_id and e.amount = -p.amount and e.transaction_id = p.sale_id
where p.method = 'GIFT_CARD' and p.status = 'PAID'
group by p.account_id, p.sale_id, p.id having count(e.id) <> 1;

-- cards: a debit of a card has its one tender
select e.account_id, e.id from gift_card_entries e
left join payments p on p.account_id = e.account_id and p.sale_id = e.transaction_id and p.id = e.payment_id and p.status = 'PAID'
where e.type = 'REDEEM' and p.id is null;

-- cards: store credit is worth what its refund gave
select c.account_id, c.id from gift_cards c
join refunds r on r.account_id = c.account_id and r.id = c.source_refund_id
left join refund_tenders t on t.account_id = c.account_id and t.refund_id = r.id and t.method = 'STORE_CREDIT'
group by c.account_id, c.id, c.kind, c.initial_amount
having c.kind <> 'STORE_CREDIT' or c.initial_amount <> coalesce(sum(t.amount), 0);

-- points: the points of a customer are the sum of the ledger
select c.account_id, c.id, c.points_balance from customers c
left join loyalty_entries e on e.account_id = c.account_id and e.customer_id = c.id
group by c.account_id, c.id having c.points_balance <> coalesce(sum(e.points), 0);

-- points: the entries of a customer form one chain from nothing to the balance
select account_id, customer_id, balance from (
  select account_id, customer_id, balance_after as balance, 1 as step from loyalty_entries
  union all select account_id, customer_id, balance_after - points, -1 from loyalty_entries
  union all select account_id, id, points_balance, -1 from customers
  union all select account_id, id, 0, 1 from customers) ends
group by 1, 2, 3 having sum(step) <> 0;

-- points: no redemption at the till and no adjustment down took a balance below zero
select account_id, id from loyalty_entries
where balance_after < 0 and (type = 'REDEEM' and transaction_id is null or (type = 'ADJUST' and points < 0));

-- points: a completed sale takes the points it was given off the ledger of their customer
select p.account_id, p.id from sale_promotions p
left join loyalty_entries e on e.account_id = p.account_id and e.transaction_id = p.sale_id and e.type = 'REDEEM'
  and e.customer_id = p.customer_id
where p.wanted = 'redeemed' and coalesce(-e.points, 0) <> p.points;

-- points: a sale gives back at most the points it redeemed, and all of them once nothing of it is left
select e.account_id, e.transaction_id from loyalty_entries e
join sales s on s.account_id = e.account_id and s.id = e.transaction_id
where e.type = 'REDEEM' or (e.type = 'REVERSE' and e.points > 0)
group by e.account_id, e.transaction_id, s.status, s.total, s.refunded_goods, s.refunded_tax, s.refunded_service,
  s.refunded_delivery_fee
having sum(e.points) > 0 or count(*) filter (where e.type = 'REDEEM') <> 1
  or ((s.status = 'VOIDED' or (s.total > 0 and s.refunded_goods + s.refunded_tax + s.refunded_service + s.refunded_delivery_fee = s.total))
    and sum(e.points) <> 0);

-- customers: a sale earns once what it says and gives back at most that
select s.account_id, s.id, s.points_earned from sales s
left join loyalty_entries e on e.account_id = s.account_id and e.transaction_id = s.id
  and (e.type = 'EARN' or (e.type = 'REVERSE' and e.points < 0))
where s.customer_id is not null
group by s.account_id, s.id
having s.points_earned <> coalesce(sum(e.points) filter (where e.type = 'EARN'), 0) or coalesce(sum(e.points), 0) < 0
  or (s.status = 'VOIDED' and coalesce(sum(e.points), 0) <> 0);

-- customers: what a customer spent and how often is the sum of the completed sales less their refunds
select c.account_id, c.id, c.total_spent, c.visit_count from customers c
left join sales s on s.account_id = c.account_id and s.customer_id = c.id and s.status = 'COMPLETED'
group by c.account_id, c.id
having c.visit_count <> count(s.id)
  or c.total_spent <> coalesce(sum(s.total - s.refunded_goods - s.refunded_tax - s.refunded_service - s.refunded_delivery_fee), 0);

-- customers: what a customer owes is the sum of the credit entries, and of what is open of the charges
select c.account_id, c.id, c.credit_balance from customers c
left join customer_credit_entries e on e.account_id = c.account_id and e.customer_id = c.id
group by c.account_id, c.id
having c.credit_balance <> coalesce(sum(e.amount), 0) or c.credit_balance <> coalesce(sum(e.open), 0);

-- customers: the credit entries of a customer form one chain from nothing to the balance
select account_id, customer_id, balance from (
  select account_id, customer_id, balance_after as balance, 1 as step from customer_credit_entries
  union all select account_id, customer_id, balance_after - amount, -1 from customer_credit_entries
  union all select account_id, id, credit_balance, -1 from customers
  union all select account_id, id, 0, 1 from customers) ends
group by 1, 2, 3 having sum(step) <> 0;

-- customers: a tender on credit has its one charge
select p.account_id, p.sale_id, p.id from payments p
left join customer_credit_entries e on e.account_id = p.account_id and e.sale_id = p.sale_id and e.payment_id = p.id
  and e.type = 'CHARGE'
where p.method = 'CREDIT' and p.status = 'PAID' and p.applied
group by p.account_id, p.sale_id, p.id
having count(e.id) <> 1 or min(e.amount) <> p.amount;

-- customers: a charge has its one tender on credit
select e.account_id, e.id from customer_credit_entries e
left join payments p on p.account_id = e.account_id and p.sale_id = e.sale_id and p.id = e.payment_id and p.method = 'CREDIT'
where e.type = 'CHARGE' and p.id is null;

-- customers: what a refund, void or discard takes of credit is its reversal
select account_id, refund_id from (
  select account_id, refund_id, -amount as amount from customer_credit_entries where type = 'REVERSAL'
  union all select account_id, refund_id, -amount from refund_tenders where method = 'CREDIT') moved
group by 1, 2 having sum(amount) <> 0;

-- shifts: a cashier has one open drawer per outlet
select account_id, outlet_id, cashier_id from shifts where status = 'OPEN' group by 1, 2, 3 having count(*) > 1;

-- shifts: a closed shift has the figures of its close once the job that finishes closes has run; an open one has none
select account_id, id from shifts
where (status = 'CLOSED') <> (counted_cash is not null and closed_at is not null and closed_by is not null)
  or (summary is null) <> (difference is null) or (summary is null) <> (expected_cash is null)
  or status = 'OPEN' and summary is not null
  or status = 'CLOSED' and summary is null
    and closed_at < (select finished_at from jobs where name = 'shifts.cut-off-closes') - interval '1 hour'
  or difference <> counted_cash - expected_cash or expected_cash <> (summary -> 'cash' ->> 'expected')::bigint;

-- shifts: the expected cash of a closed shift is what was booked to it, and nothing was booked later
select s.account_id, s.id, s.expected_cash from shifts s
left join (select account_id, shift_id, sum(amount + rounding) as cash from payments
  where method = 'CASH' and status = 'PAID' and applied group by 1, 2) p on p.account_id = s.account_id and p.shift_id = s.id
left join (select r.account_id, r.shift_id, sum(t.amount) as cash from refunds r
  join refund_tenders t on t.account_id = r.account_id and t.refund_id = r.id and t.method = 'CASH' group by 1, 2) r
  on r.account_id = s.account_id and r.shift_id = s.id
left join (select account_id, shift_id, sum(rounding) as cash from refunds group by 1, 2) d
  on d.account_id = s.account_id and d.shift_id = s.id
left join (select account_id, shift_id, sum(case type when 'PAID_IN' then amount else -amount end) as cash
  from cash_movements group by 1, 2) m on m.account_id = s.account_id and m.shift_id = s.id
left join (select account_id, shift_id, -sum(amount) as cash from customer_credit_entries
  where type = 'PAYMENT' and method = 'CASH' group by 1, 2) e on e.account_id = s.account_id and e.shift_id = s.id
where s.status = 'CLOSED'
  and s.expected_cash <> s.opening_float + coalesce(p.cash, 0) - coalesce(r.cash, 0) - coalesce(d.cash, 0) + coalesce(m.cash, 0)
    + coalesce(e.cash, 0);

-- kitchen: a sale is open in the kitchen exactly while an active item of it is not served
select s.account_id, s.id from sales s
left join sale_items i on i.account_id = s.account_id and i.sale_id = s.id and i.is_active and i.kitchen_status <> 'SERVED'
  and (i.variant_id is not null or i.station is not null)
group by s.account_id, s.id
having s.kitchen_open <> (s.order_type is not null and s.status <> 'VOIDED' and count(i.id) > 0);

-- replies: a stored reply belongs to a finished write; a request that a partner has not answered yet (status 0) has none
select account_id, key, status from idempotency_keys
where status <> 0 and status not between 200 and 299 or status = 0 and body <> '';
