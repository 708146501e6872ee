-- A customer is looked for inside name, phone and email: trigrams of all of them in one text, inside one workspace, find
-- the candidates. No pending list, as for variants.
create index customers_search on customers using gin (account_id,
  lower(name || E'\n' || coalesce(phone, '') || E'\n' || coalesce(email, '') || E'\n' || coalesce(phone_key, '')) gin_trgm_ops)
  with (fastupdate = off) where is_active;

-- Lists of batches are read in portions, in order of expiry and id.
create index stock_batches_by_expiry on stock_batches (account_id, expiry_date, id) where remaining_qty > 0;
drop index stock_batches_expiry;
create index stock_batches_all_by_expiry on stock_batches (account_id, expiry_date, id);
