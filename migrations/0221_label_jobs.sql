-- Price labels are printed as jobs of their own kind (docs/behaviour.md, B-label-4).
alter table print_jobs drop constraint print_jobs_kind_check;
alter table print_jobs add constraint print_jobs_kind_check
  check (kind in ('KITCHEN', 'RECEIPT', 'DRAWER', 'TEST', 'LABEL'));
