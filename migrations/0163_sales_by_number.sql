-- A receipt is found by the number that is printed on it.
create index sales_number on sales (account_id, number);
