-- Notices of partners that had their effect, so that one which comes again has none.
create table partner_notices (
  account_id text not null references accounts,
  partner text not null check (partner in ('payment', 'fulfillment', 'marketing')),
  notice_id text not null,
  received_at timestamptz(3) not null,
  primary key (account_id, partner, notice_id)
);
-- The sweep finds what has ended.
create index partner_notices_age on partner_notices (received_at);
