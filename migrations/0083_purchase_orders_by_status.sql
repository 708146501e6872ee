-- Orders of one status newest first, of all outlets: walked whatever the planner knows of the table.
create index purchase_orders_status on purchase_orders (account_id, status, id);
