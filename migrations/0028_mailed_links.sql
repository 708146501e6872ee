-- Links that went out by mail and prove who reads the mailbox: one of a kind for each member, so the latest replaces the
-- ones before it. Only the SHA-256 of a token is here, and of the address and password hash it was made for: a link ends
-- with either.
create table mailed_links (
  account_id text not null,
  member_id text not null,
  kind text not null check (kind in ('PASSWORD', 'EMAIL')),
  token_hash text not null,
  bound_to text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (account_id, member_id, kind),
  foreign key (account_id, member_id) references members on delete cascade
);
create unique index mailed_links_token on mailed_links (account_id, token_hash);
-- The sweep finds what has ended.
create index mailed_links_age on mailed_links (expires_at);

-- When somebody last proved to read the mailbox of the address; null for those who never had to.
alter table members add column email_verified_at timestamptz(3);

-- Links for a forgotten password and for the proof of an address have a share of their own at each mailbox.
alter table sent_mails drop constraint sent_mails_kind_check;
alter table sent_mails add constraint sent_mails_kind_check check (kind in ('INVITATION', 'NOTICE', 'PASSWORD', 'EMAIL'));

-- Where a session was last used, so that its member knows it again.
alter table sessions add column user_agent text check (length(user_agent) <= 300);
alter table sessions add column address text;
