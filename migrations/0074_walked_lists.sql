-- Lists newest first by what they are asked for, walked along one index each whatever the planner knows of the table.
create index sales_of_table on sales (account_id, table_id, id) where table_id is not null;
drop index sales_table;
create index gift_cards_status on gift_cards (account_id, status, id);

-- What was refused stays for a year and is never due again.
create index gift_card_moves_next on gift_card_moves (due_at) where state <> 'REFUSED';
drop index gift_card_moves_due;
