-- The reference that a till gave to a sale it made offline. It identifies the sale for ever, longer than an Idempotency-Key.
alter table sales add column offline_ref text;
create unique index sales_offline_ref on sales (account_id, offline_ref) where offline_ref is not null;

-- The request that used a reference first: a repetition is recognised by the fingerprint of its body.
create table offline_sales (
  account_id text not null,
  ref text not null,
  fingerprint text not null,
  created_at timestamptz(3) not null,
  primary key (account_id, ref)
);
