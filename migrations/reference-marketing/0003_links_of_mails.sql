-- Links in mails are signed with a secret of the merchant's own: the keys of workspaces change with the platform's, and a
-- reader must be able to end reminders for as long as the mail lies in the mailbox.
alter table reference_marketing.workspaces add column link_secret text not null default gen_random_uuid()::text || gen_random_uuid()::text;
