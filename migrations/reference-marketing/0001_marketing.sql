-- The reference marketing partner: a product of its own beside the service, in a schema of its own. It names no table of
-- the service and none of the service names these.

create table reference_marketing.workspaces (
  id text primary key,
  external_id text unique,
  name text not null,
  point_value bigint not null default 100 check (point_value between 1 and 1000000),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

insert into reference_marketing.workspaces (id, external_id, name, created_at, updated_at)
  values ('wsp_platform', null, 'Kasir', now(), now());

create table reference_marketing.idempotency_keys (
  workspace_id text not null references reference_marketing.workspaces (id),
  key text not null,
  fingerprint text not null,
  status integer,
  body text,
  created_at timestamptz(3) not null,
  primary key (workspace_id, key)
);
create index idempotency_keys_age on reference_marketing.idempotency_keys (created_at);

create table reference_marketing.notices (
  id text primary key,
  workspace_id text not null references reference_marketing.workspaces (id),
  type text not null,
  body text not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null,
  due_at timestamptz(3) not null,
  last_status integer,
  last_error text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index notices_due on reference_marketing.notices (due_at) where status = 'pending';
create index notices_age on reference_marketing.notices (created_at) where status <> 'pending';

create table reference_marketing.discounts (
  workspace_id text not null references reference_marketing.workspaces (id),
  id text not null,
  code text not null,
  kind text not null check (kind in ('percent', 'fixed')),
  value bigint not null check (value > 0 and (kind = 'fixed' or value <= 100)),
  min_subtotal bigint not null check (min_subtotal >= 0),
  max_discount bigint check (max_discount > 0),
  max_uses integer check (max_uses > 0),
  uses integer not null check (uses >= 0),
  starts_at timestamptz(3),
  ends_at timestamptz(3),
  is_active boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, code)
);

-- A use of a code or of points by one sale of the merchant, which names it.
create table reference_marketing.redemptions (
  workspace_id text not null references reference_marketing.workspaces (id),
  reference text not null,
  status text not null check (status in ('reserved', 'redeemed', 'released')),
  subtotal bigint not null check (subtotal >= 0),
  customer_id text,
  discount_code text,
  discount_id text,
  discount_amount bigint not null check (discount_amount >= 0),
  discount_reason text,
  points_asked bigint not null check (points_asked >= 0),
  points bigint not null check (points >= 0),
  points_amount bigint not null check (points_amount >= 0),
  points_reason text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, reference),
  foreign key (workspace_id, discount_id) references reference_marketing.discounts (workspace_id, id),
  check (discount_amount + points_amount <= subtotal)
);
-- What a customer has spent, or is about to.
create index redemptions_points on reference_marketing.redemptions (workspace_id, customer_id)
  where points > 0 and status <> 'released';

create table reference_marketing.reminders (
  workspace_id text not null references reference_marketing.workspaces (id),
  id text not null,
  reference text not null,
  mail_id text not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, reference)
);
create index reminders_days on reference_marketing.reminders (workspace_id, created_at);

create table reference_marketing.mails (
  id text primary key,
  workspace_id text not null references reference_marketing.workspaces (id),
  recipient text,
  subject text not null,
  body text not null,
  html text,
  -- Ends reminders to its reader; a mail program may do so with one request (RFC 8058).
  unsubscribe_url text,
  attempts integer not null,
  due_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index mails_due on reference_marketing.mails (due_at) where due_at is not null;
create index mails_age on reference_marketing.mails (created_at) where due_at is null;

-- Who wants no more reminders of a merchant: a digest of the address, never the address.
create table reference_marketing.unsubscribed (
  workspace_id text not null references reference_marketing.workspaces (id),
  digest text not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, digest)
);

create table reference_marketing.avatars (
  workspace_id text not null references reference_marketing.workspaces (id),
  key text not null,
  content_type text not null check (content_type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif')),
  image bytea not null check (octet_length(image) <= 204800),
  updated_at timestamptz(3) not null,
  primary key (workspace_id, key)
);
