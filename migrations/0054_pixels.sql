-- Tracking pixels of a workspace's shop; no row means the defaults.
create table pixel_settings (
  account_id text not null references accounts,
  enabled boolean not null,
  social_pixel_id text check (length(social_pixel_id) <= 64),
  -- Sealed; its end is kept beside it, so that nobody has to open it to tell two apart.
  social_capi_access_token text,
  social_capi_access_token_last4 text check (length(social_capi_access_token_last4) = 4),
  social_test_event_code text check (length(social_test_event_code) <= 64),
  analytics_id text check (length(analytics_id) <= 64),
  ads_conversion_id text check (length(ads_conversion_id) <= 64),
  ads_purchase_label text check (length(ads_purchase_label) <= 64),
  short_video_pixel_id text check (length(short_video_pixel_id) <= 64),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id)
);
