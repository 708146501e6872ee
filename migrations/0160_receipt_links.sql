-- Public addresses of receipts. The address carries the id of the workspace and 128 random bits, of which only the SHA-256
-- is here.
create table receipt_links (
  account_id text not null,
  id text not null,
  sale_id text not null,
  token_hash text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, sale_id) references sales on delete cascade
);
create unique index receipt_links_token on receipt_links (account_id, token_hash);
create index receipt_links_of_sale on receipt_links (account_id, sale_id, id);
create index receipt_links_age on receipt_links (expires_at);
