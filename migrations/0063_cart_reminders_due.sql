-- Reminders that are to be sent are found by when they are due.
create index cart_reminders_due on cart_reminders (account_id, due_at) where due_at is not null;
