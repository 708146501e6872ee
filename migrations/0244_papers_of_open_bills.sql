-- Whether the sale was still open when the paper was queued. Such a paper is not the first receipt of the sale (B-print-9).
alter table print_jobs add column of_open_bill boolean not null default false;
-- Bills that were printed before and are paid after this migration still open the drawer with their first receipt.
update print_jobs j set of_open_bill = true from sales s
  where s.account_id = j.account_id and s.id = j.sale_id and s.status = 'PARKED' and j.kind = 'RECEIPT';
