-- The sweep of replies asks each workspace for its oldest. A BRIN index forgets nothing: once a page had held an old row,
-- every sweep read that page again.
create index idempotency_keys_old on idempotency_keys (account_id, created_at);
drop index idempotency_keys_age;

-- Who erases a customer asks for the events of their sales. The completion has an index already, so a plain sale enters
-- none besides.
create index events_of_sale on events (account_id, ref_id)
  where type like 'service.sale.%' and type <> 'service.sale.completed.v1';
