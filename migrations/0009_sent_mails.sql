-- What was mailed in somebody's name within a day, so that no workspace and no mailbox gets more than its share,
-- whichever process sends. Swept once it is a day old; the mailbox is a hash, nobody reads the address from here.
create table sent_mails (
  account_id text not null references accounts,
  id text not null,
  kind text not null check (kind in ('INVITATION', 'NOTICE')),
  mailbox text not null,
  sent_at timestamptz(3) not null,
  primary key (account_id, id)
);
create index sent_mails_of_workspace on sent_mails (account_id, kind, sent_at);
-- One mailbox may be named by several workspaces.
create index sent_mails_to_mailbox on sent_mails (mailbox, kind, sent_at);
-- The sweep finds what is past the day.
create index sent_mails_age on sent_mails (sent_at);

-- The sweep finds mails that no mail server was there for.
create index mails_age on mails (created_at);
