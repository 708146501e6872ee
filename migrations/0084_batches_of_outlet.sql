-- What lies at one outlet by expiry, however much lies at all others.
create index stock_batches_of_outlet on stock_batches (account_id, outlet_id, expiry_date, id) where remaining_qty > 0;
