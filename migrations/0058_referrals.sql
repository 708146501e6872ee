-- Customers who bring customers; no row means the defaults.
create table referral_programs (
  account_id text not null references accounts,
  enabled boolean not null,
  reward_type text not null check (reward_type in ('percent', 'fixed', 'shipping_percent', 'shipping_fixed')),
  referrer_value bigint not null check (referrer_value > 0),
  referee_value bigint not null check (referee_value > 0),
  currency text not null check (currency in ('IDR', 'USD')),
  min_purchase_amount bigint check (min_purchase_amount >= 0),
  reward_expiry_days int not null check (reward_expiry_days between 1 and 365),
  attribution_window_days int not null check (attribution_window_days between 1 and 180),
  max_rewards_per_referrer int check (max_rewards_per_referrer > 0),
  program_terms text check (length(program_terms) <= 10000),
  landing_url text check (length(landing_url) <= 600),
  marketing_campaign_id text check (length(marketing_campaign_id) <= 64),
  -- Since when it is on; what happened before does not count.
  enabled_at timestamptz(3),
  -- The last event of the log that was looked at: its transaction and id.
  seen_tx xid8 not null,
  seen_id text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id),
  check (enabled = (enabled_at is not null))
);

create table referral_links (
  account_id text not null,
  id text not null,
  customer_id text not null,
  code text not null check (code ~ '^[A-Z0-9]{8}$'),
  clicks bigint not null check (clicks >= 0),
  last_clicked_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, customer_id) references customers
);
create unique index referral_links_customer on referral_links (account_id, customer_id);
create unique index referral_links_code on referral_links (account_id, code);

-- A sale that somebody else's code was named at; one for each sale, ever.
create table referral_attributions (
  account_id text not null,
  id text not null,
  link_id text not null,
  sale_id text not null,
  status text not null check (status in ('pending', 'rewarded', 'rejected', 'expired')),
  referrer_reward bigint not null check (referrer_reward >= 0),
  referee_reward bigint not null check (referee_reward >= 0),
  currency text not null check (currency in ('IDR', 'USD')),
  expires_at timestamptz(3) not null,
  -- The referrer's own sale that the reward was used at.
  rewarded_sale_id text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, link_id) references referral_links,
  foreign key (account_id, sale_id) references sales,
  foreign key (account_id, rewarded_sale_id) references sales,
  check ((status = 'rewarded') = (rewarded_sale_id is not null))
);
create unique index referral_attributions_sale on referral_attributions (account_id, sale_id);
create unique index referral_attributions_reward on referral_attributions (account_id, rewarded_sale_id);
create index referral_attributions_link on referral_attributions (account_id, link_id, id);
create index referral_attributions_pending on referral_attributions (account_id, expires_at) where status = 'pending';
