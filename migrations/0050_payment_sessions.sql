-- What customers are asked to pay at the payment partner by a QR code or a virtual account.
create table payment_sessions (
  account_id text not null references accounts,
  -- The partner's own.
  id text not null,
  -- The bill and the payment on it that this is for; neither where an amount alone was asked for. The payment is written
  -- with the session or not at all: a session whose payment is not there is canceled.
  sale_id text,
  payment_id text,
  method text not null check (method in ('qris', 'va')),
  amount bigint not null check (amount > 0),
  status text not null check (status in ('pending', 'paid', 'expired', 'failed')),
  qr_string text,
  qr_image_url text,
  va_number text,
  va_bank text,
  expires_at timestamptz(3) not null,
  paid_at timestamptz(3),
  -- When the partner was asked last what became of it.
  asked_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, sale_id) references sales,
  check ((sale_id is null) = (payment_id is null))
);
create unique index payment_sessions_live on payment_sessions (account_id, payment_id) where status = 'pending' and payment_id is not null;
-- The job that closes what nobody waits for finds it here.
create index payment_sessions_pending on payment_sessions (expires_at) where status = 'pending';
-- The sessions of one bill.
create index payment_sessions_sale on payment_sessions (account_id, sale_id) where sale_id is not null;
