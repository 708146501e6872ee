-- When the payment partner is asked next whether a checkout was paid: its notice may never have arrived. Null once that is known.
alter table billing_checkouts add column check_at timestamptz(3);
update billing_checkouts c set check_at = c.created_at
  where not exists (select from billing_payments p where p.account_id = c.account_id and p.session_id = c.session_id);
-- The few that are still to be asked about.
create index billing_checkouts_to_check on billing_checkouts (check_at) where check_at is not null;
