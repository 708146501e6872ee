-- What a workspace pays for; without a row it never paid. Written by the partner's notices and by a cancel alone.
create table billing_subscriptions (
  account_id text primary key references accounts,
  id text not null,
  tier text not null check (tier in ('starter', 'growth', 'business')),
  currency text not null check (currency in ('IDR', 'USD')),
  status text not null check (status in ('active', 'canceled')),
  current_period_end timestamptz(3) not null,
  -- When what was paid for ends for good, grace included; null once that has been announced.
  lapses_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index billing_subscriptions_lapses on billing_subscriptions (lapses_at);

-- Checkout sessions that were paid: each buys one period, however often its notice comes.
create table billing_payments (
  account_id text not null references accounts,
  session_id text not null,
  tier text not null check (tier in ('starter', 'growth', 'business')),
  currency text not null check (currency in ('IDR', 'USD')),
  amount bigint not null check (amount >= 0),
  period_end timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (account_id, session_id)
);
