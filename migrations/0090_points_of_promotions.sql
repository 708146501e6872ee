-- The points that a sale was given at the marketing partner, and whose they are: a completed sale takes them off the ledger of
-- their customer. Sales from before this migration have none here, and the partner alone keeps what they redeemed.
alter table sale_promotions add column customer_id text;
alter table sale_promotions add column points bigint not null default 0;
alter table sale_promotions add constraint sale_promotions_points check (points = 0 or (points > 0 and customer_id is not null));
create index sale_promotions_redeemed on sale_promotions (account_id, customer_id) where wanted = 'redeemed' and points > 0;
create unique index loyalty_entries_redeem_once on loyalty_entries (account_id, transaction_id)
  where type = 'REDEEM' and transaction_id is not null;
