alter table settings
  add column npwp text check (npwp ~ '^[0-9]{15,16}$'),
  add column receipt_thanks text check (length(receipt_thanks) <= 200);
