-- What feeds of the catalogue say beside the goods; no row means the defaults.
create table feed_settings (
  account_id text not null references accounts,
  enabled boolean not null,
  default_feed_product_category text check (length(default_feed_product_category) <= 500),
  include_unpublished boolean not null,
  product_url text check (length(product_url) <= 600),
  marketing_campaign_id text check (length(marketing_campaign_id) <= 64),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id)
);
