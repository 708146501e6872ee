-- The tax in each line of a refund, as it was split when the money was given back: the revenue of a product is without it.
alter table refund_lines add column tax bigint not null default 0 check (tax >= 0);
update refund_lines l set tax = f.tax from (
  select c.account_id, c.refund_id, c.item_id,
    i.tax_amount * c.upto / i.quantity - i.tax_amount * (c.upto - c.qty) / i.quantity as tax
  from (
    select account_id, refund_id, sale_id, item_id, qty,
      sum(qty) over (partition by account_id, sale_id, item_id order by refund_id)::bigint as upto
    from refund_lines
  ) c
  join sale_items i on i.account_id = c.account_id and i.sale_id = c.sale_id and i.id = c.item_id
) f
where l.account_id = f.account_id and l.refund_id = f.refund_id and l.item_id = f.item_id and f.tax > 0;
