create table customers (
  account_id text not null references accounts,
  id text not null,
  name text not null check (length(name) between 1 and 120),
  phone text,
  -- Digits of the phone without +62 or the leading 0: how two numbers are compared.
  phone_key text,
  email text,
  note text,
  is_active boolean not null default true,
  points_balance bigint not null default 0,
  total_spent bigint not null default 0,
  visit_count integer not null default 0,
  last_visit_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id)
);
create index customers_by_name on customers (account_id, lower(name), id);
create index customers_by_phone on customers (account_id, phone_key) where phone_key is not null;
create index customers_by_email on customers (account_id, lower(email)) where email is not null;

create table shifts (
  account_id text not null,
  id text not null,
  outlet_id text not null,
  cashier_id text not null,
  cashier_name text not null,
  status text not null default 'OPEN' check (status in ('OPEN', 'CLOSED')),
  opening_float bigint not null check (opening_float >= 0),
  counted_cash bigint check (counted_cash >= 0),
  expected_cash bigint,
  difference bigint,
  notes text,
  -- The figures as they stood at close; they never move again.
  summary jsonb,
  opened_at timestamptz(3) not null,
  closed_at timestamptz(3),
  closed_by text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, outlet_id) references outlets on delete cascade
);
create unique index shifts_one_open on shifts (account_id, outlet_id, cashier_id) where status = 'OPEN';

create table cash_movements (
  account_id text not null,
  id text not null,
  shift_id text not null,
  type text not null check (type in ('PAID_IN', 'PAID_OUT')),
  amount bigint not null check (amount > 0),
  reason text,
  actor_id text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, shift_id) references shifts on delete cascade
);
create index cash_movements_shift on cash_movements (account_id, shift_id);

create table floors (
  account_id text not null,
  id text not null,
  outlet_id text not null,
  name text not null check (length(name) between 1 and 60),
  sort_order integer not null default 0 check (sort_order >= 0),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, outlet_id) references outlets on delete cascade
);
create index floors_outlet on floors (account_id, outlet_id);

create table dining_tables (
  account_id text not null,
  id text not null,
  outlet_id text not null,
  floor_id text not null,
  label text not null check (length(label) between 1 and 40),
  -- Lower-case label: two tables of one outlet may not differ in case only.
  label_key text not null,
  zone text,
  seats integer check (seats between 1 and 100),
  sort_order integer not null default 0 check (sort_order >= 0),
  pos_x integer not null default 0 check (pos_x between 0 and 10000),
  pos_y integer not null default 0 check (pos_y between 0 and 10000),
  shape text not null default 'SQUARE' check (shape in ('SQUARE', 'ROUND', 'RECT')),
  width integer not null default 80 check (width between 1 and 10000),
  height integer not null default 80 check (height between 1 and 10000),
  is_active boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, outlet_id) references outlets on delete cascade,
  foreign key (account_id, floor_id) references floors
);
create unique index dining_tables_label on dining_tables (account_id, outlet_id, label_key);
create index dining_tables_floor on dining_tables (account_id, floor_id);

create table suppliers (
  account_id text not null references accounts,
  id text not null,
  name text not null check (length(name) between 1 and 160),
  contact text,
  phone text,
  email text,
  address text,
  note text,
  is_active boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id)
);
create index suppliers_by_name on suppliers (account_id, lower(name), id);
