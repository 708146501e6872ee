-- What cash was taken out of a drawer for (docs/behaviour.md, B-expense-1). `category` is one of the settings at that time;
-- null means uncategorised.

alter table settings add column expense_categories text[] not null default '{}';
alter table settings add constraint settings_expense_categories check (cardinality(expense_categories) <= 50);

alter table cash_movements add column category text;
alter table cash_movements add constraint cash_movements_category check (category <> '');

-- The expense report reads the movements of a period.
create index cash_movements_time on cash_movements (account_id, created_at);
