-- What was mailed to a mailbox is counted whichever workspace wrote to it. Once rows are spread over several servers these are
-- kept apart from them, as addresses that sign in are: nobody waits for a server that holds the rows of others.
alter table sent_mails drop constraint sent_mails_account_id_fkey;
