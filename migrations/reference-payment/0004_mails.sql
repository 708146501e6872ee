-- Mails of all partners have the same columns.
alter table reference_payment.mails add column html text;
alter table reference_payment.mails add column unsubscribe_url text;
