-- Figures of goods sold by weight are grams (docs/behaviour.md, B-report-7), so that units and grams are never added. Figures
-- that counted grams as units are made again: the report worker does so for an outlet whose time zone differs from that of its figures.
alter table report_goods
  add column grams bigint not null default 0,
  add column returned_grams bigint not null default 0;
update report_outlets o set timezone = case o.timezone when 'UTC' then 'Asia/Jakarta' else 'UTC' end from (
  select distinct s.account_id, s.outlet_id
  from sale_items i
  join sales s on s.account_id = i.account_id and s.id = i.sale_id
  where i.sold_by = 'WEIGHT') f
where o.account_id = f.account_id and o.outlet_id = f.outlet_id;
