-- Whether, when and how customers are reminded of bills that they left open; no row means the defaults.
create table abandoned_cart_settings (
  account_id text not null references accounts,
  enabled boolean not null,
  delay_hours int not null check (delay_hours between 1 and 168),
  email_subject text not null check (length(email_subject) between 1 and 200),
  email_preview text not null check (length(email_preview) between 1 and 200),
  discount_code_id text check (length(discount_code_id) <= 64),
  marketing_campaign_id text check (length(marketing_campaign_id) <= 64),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id)
);

-- One for each bill, ever. The address is the customer's own and is not copied: who is erased is erased here too.
create table cart_reminders (
  account_id text not null,
  id text not null,
  sale_id text not null,
  customer_id text not null,
  cart_total bigint not null check (cart_total >= 0),
  status text not null check (status in ('scheduled', 'sent', 'recovered', 'failed')),
  scheduled_at timestamptz(3) not null,
  -- When it is tried next, while it is scheduled.
  due_at timestamptz(3),
  attempts int not null check (attempts >= 0),
  sent_at timestamptz(3),
  -- True while its bill may still be paid.
  is_watched boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, sale_id) references sales,
  foreign key (account_id, customer_id) references customers,
  check ((status = 'scheduled') = (due_at is not null)),
  check ((status in ('sent', 'recovered')) = (sent_at is not null))
);
create unique index cart_reminders_sale on cart_reminders (account_id, sale_id);
create index cart_reminders_customer on cart_reminders (account_id, customer_id);
create index cart_reminders_newest on cart_reminders (account_id, scheduled_at, id);
create index cart_reminders_watched on cart_reminders (account_id, sale_id) where is_watched;
create index cart_reminders_sent on cart_reminders (account_id, sent_at) where sent_at is not null;
