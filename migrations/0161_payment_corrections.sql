-- The corrections of a payment's method, oldest first: { at, by, from, to, completed }; null where there are none.
alter table payments add column corrections jsonb;
alter table payments add constraint payments_corrections check (jsonb_typeof(corrections) = 'array');
-- Reports count corrections of a time by their sales.
create index payments_corrected on payments (account_id, sale_id) where corrections is not null;
