-- Which key is which: the end of its secret, and who made it. Keys from before do not know.
alter table api_keys add column last4 text check (length(last4) = 4);
alter table api_keys add column created_by text;
-- The maker may be removed; the name stays.
alter table api_keys add column created_by_name text;
update api_keys set prefix = 'kasir_sk_' where prefix <> 'kasir_sk_';
