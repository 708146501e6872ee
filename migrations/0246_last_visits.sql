-- A void finds the last visit of its customer here, while it holds the row of the customer: all walk-ins of a shop may be
-- one customer. Sales without a customer, and open bills, have no entry.
create index sales_visits on sales (account_id, customer_id, completed_at)
  where customer_id is not null and status = 'COMPLETED';
