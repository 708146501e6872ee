-- Whether the sale was still open when the paper was queued. Such a paper is not the first receipt of the sale (B-print-9).
alter table print_jobs add column of_open_bill boolean not null default false;
