-- Checkout sessions that this service opened for a plan: only these buy one, and only at the price that was asked.
create table billing_checkouts (
  account_id text not null references accounts,
  -- The session at the payment partner.
  session_id text not null,
  tier text not null check (tier in ('starter', 'growth', 'business')),
  currency text not null check (currency in ('IDR', 'USD')),
  amount bigint not null check (amount > 0),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (account_id, session_id)
);
-- Sessions that ended long ago are swept by it.
create index billing_checkouts_age on billing_checkouts (expires_at);

-- Plans follow the payments in the order of these instants, in whatever order their notices arrive.
alter table billing_payments add column paid_at timestamptz(3);
update billing_payments set paid_at = created_at;
alter table billing_payments alter column paid_at set not null;
-- It follows from all payments together.
alter table billing_payments drop column period_end;

-- The plans that begin one after another once the current one has ended: [{ tier, currentPeriodEnd }].
alter table billing_subscriptions add column following jsonb default '[]' not null;
-- A payment after this instant undoes the cancellation; one before it, reported late, does not.
alter table billing_subscriptions add column canceled_at timestamptz(3);
update billing_subscriptions set canceled_at = updated_at where status = 'canceled';
