-- The session at the payment partner whose money a payment is. Partners tell of money again after years, when it is given back
-- or disputed, and by then neither the session nor its notices are kept: only the sale can say that it has it already.
alter table payments add column session_id text;
-- What a session brought was booked at the instant at which it was paid; what a till had called paid before was not.
update payments p set session_id = s.id from payment_sessions s
  where s.account_id = p.account_id and s.sale_id = p.sale_id and s.paid_at = p.paid_at and s.status = 'paid'
    and p.status = 'PAID' and p.verified;
update payments p set session_id = s.id from payment_sessions s
  where s.account_id = p.account_id and s.sale_id = p.sale_id and s.payment_id = p.id and s.status = 'paid'
    and p.status = 'PAID' and p.verified and p.session_id is null;
-- A session that is not kept any more gave its payment the reference, unless a till had brought one.
update payments set session_id = provider_ref
  where status = 'PAID' and verified and session_id is null and provider_ref is not null;
alter table payments add constraint payments_session check (session_id is null or (status = 'PAID' and verified));
