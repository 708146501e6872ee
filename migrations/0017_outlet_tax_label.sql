alter table outlets
  add column tax_label text not null default 'Pajak' check (length(tax_label) between 1 and 30);
