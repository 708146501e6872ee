-- Endpoints of webhooks. A deleted one stays for the log of its deliveries.
create table webhook_subscriptions (
  account_id text not null references accounts,
  id text not null,
  url text not null check (length(url) between 1 and 2000),
  -- Types it wants; none means all.
  events text[] not null,
  status text not null check (status in ('active', 'paused', 'disabled', 'deleted')),
  -- The signing secret, sealed.
  secret text not null,
  secret_last4 text not null,
  failure_streak int not null check (failure_streak >= 0),
  failing_since timestamptz(3),
  disabled_reason text check (disabled_reason in ('FAILING', 'GONE')),
  -- The process that sends to it, and until when it may without a word.
  leased_by text,
  leased_until timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  check ((failure_streak = 0) = (failing_since is null)),
  check ((status = 'disabled') = (disabled_reason is not null))
);

-- One row per event and endpoint, under an id made of both. What is sent is the body of the event.
create table webhook_deliveries (
  account_id text not null,
  id text not null,
  subscription_id text not null,
  event_id text not null,
  type text not null,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  attempts int not null check (attempts >= 0),
  -- An attempt asked for by hand has no other after it.
  by_hand boolean not null,
  due_at timestamptz(3),
  last_status_code int,
  attempt_log jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, subscription_id) references webhook_subscriptions,
  check ((status = 'pending') = (due_at is not null))
);
create index webhook_deliveries_due on webhook_deliveries (account_id, subscription_id, due_at) where status = 'pending';
create index webhook_deliveries_of_endpoint on webhook_deliveries (account_id, subscription_id, id);
create index webhook_deliveries_by_status on webhook_deliveries (account_id, status, id);
create index webhook_deliveries_by_type on webhook_deliveries (account_id, type, id);
