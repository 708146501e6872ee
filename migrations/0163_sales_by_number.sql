-- A receipt is found by the number that is printed on it. The predicate is true for every row: it keeps the planner from
-- reading this index for a statement that does not compare the number.
create index sales_number on sales (account_id, number) where number is not null;
