-- What the marketing partner holds for a sale, for its code and points, under the name (id) that the partner knows.
create table sale_promotions (
  account_id text not null references accounts,
  id text not null,
  -- Of the request that asks, until its sale is made: sent again, it asks under the same name.
  request text,
  sale_id text,
  -- How it is to end at the partner. Nobody's is released.
  wanted text not null check (wanted in ('reserved', 'redeemed', 'released')),
  -- When the partner is told so; null when it was, or need not be yet.
  due_at timestamptz(3),
  attempts int not null check (attempts >= 0),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, sale_id) references sales,
  check (sale_id is not null or wanted = 'released')
);
create unique index sale_promotions_request on sale_promotions (account_id, request) where request is not null;
create unique index sale_promotions_sale on sale_promotions (account_id, sale_id) where sale_id is not null;
create index sale_promotions_due on sale_promotions (due_at) where due_at is not null;
