/**
 * What must be true of the books at any moment, over every workspace: each query answers the records that break it,
 * so no row means all is well.
 */
export const BOOKS = {
  'every stock level is the sum of its movements': `
    select l.id as what from stock_levels l
    left join (select account_id, outlet_id, variant_id, sum(qty_delta) as total
      from stock_movements group by 1, 2, 3) m
      on m.account_id = l.account_id and m.outlet_id = l.outlet_id and m.variant_id = l.variant_id
    where l.quantity <> coalesce(m.total, 0)`,
  'what a sale was paid is the sum of its tenders': `
    select s.id as what from sales s
    left join (select account_id, sale_id, sum(amount) as total from payments
      where status = 'PAID' and applied group by 1, 2) p
      on p.account_id = s.account_id and p.sale_id = s.id
    where s.paid_total <> coalesce(p.total, 0)`,
  'the lines and the delivery fee of a sale add up to its total': `
    select s.id as what from sales s
    left join (select account_id, sale_id, sum(line_total) as total from sale_items
      where is_active group by 1, 2) i
      on i.account_id = s.account_id and i.sale_id = s.id
    where s.total <> coalesce(i.total, 0) + s.delivery_fee`,
  'a completed sale announced itself exactly once': `
    select s.id as what from sales s
    left join events e on e.account_id = s.account_id and e.ref_id = s.id
      and e.type = 'service.sale.completed.v1'
    where s.completed_at is not null
    group by s.account_id, s.id having count(e.id) <> 1`,
  'every gift card holds the sum of its entries': `
    select g.id as what from gift_cards g
    left join (select account_id, gift_card_id, sum(amount) as total from gift_card_entries group by 1, 2) e
      on e.account_id = g.account_id and e.gift_card_id = g.id
    where g.balance <> coalesce(e.total, 0)`,
  'every customer has the sum of their points entries': `
    select c.id as what from customers c
    left join (select account_id, customer_id, sum(points) as total from loyalty_entries group by 1, 2) e
      on e.account_id = c.account_id and e.customer_id = c.id
    where c.points_balance <> coalesce(e.total, 0)`,
} as const
