-- Printers of an outlet. The service writes to a NETWORK printer; a till writes to a TILL printer.
create table printers (
  account_id text not null,
  id text not null,
  outlet_id text not null,
  name text not null,
  kind text not null check (kind in ('NETWORK', 'TILL')),
  host text,
  port integer not null check (port between 1 and 65535),
  paper integer not null check (paper in (58, 80)),
  code_page text not null check (code_page in ('WPC1252', 'PC437', 'ASCII')),
  opens_drawer boolean not null,
  stations text[] not null,
  till_id text,
  fallback_printer_id text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, outlet_id) references outlets on delete cascade,
  check ((kind = 'NETWORK') = (host is not null)),
  check ((kind = 'TILL') = (till_id is not null))
);
create index printers_outlet on printers (account_id, outlet_id, id);

-- Which printer prints each kitchen station: {station: {"id": printer, "kind": kind}}, from the rows of `printers`. A sale reads
-- it with its outlet, so a shop without printers pays nothing for them.
alter table outlets add column station_printers jsonb not null default '{}';
alter table outlets add constraint outlets_station_printers check (jsonb_typeof(station_printers) = 'object');

-- `content` has the rows of the paper. `look_at` is when a worker must look at the job: when its next try is due, when a till
-- has left it for too long, or when the lease of an attempt has expired. It is null once the job is done.
create table print_jobs (
  account_id text not null,
  id text not null,
  outlet_id text not null,
  printer_id text not null,
  first_printer_id text not null,
  sale_id text,
  station text,
  kind text not null check (kind in ('KITCHEN', 'RECEIPT', 'DRAWER', 'TEST')),
  status text not null check (status in ('queued', 'printing', 'printed', 'failed')),
  attempts integer not null default 0,
  reason text,
  reprint boolean not null default false,
  copy boolean not null default false,
  opens_drawer boolean not null default false,
  content jsonb not null,
  claimed_by text,
  queued_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  look_at timestamptz(3),
  printed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, outlet_id) references outlets on delete cascade,
  foreign key (account_id, sale_id) references sales on delete cascade,
  check ((look_at is not null) = (status in ('queued', 'printing')))
);
-- A printer prints one job at a time, however many processes and tills look for work.
create unique index print_jobs_printing on print_jobs (account_id, printer_id) where status = 'printing';
create index print_jobs_look on print_jobs (look_at) where look_at is not null;
create index print_jobs_waiting on print_jobs (account_id, printer_id, due_at, id) where look_at is not null;
create index print_jobs_of_printer on print_jobs (account_id, printer_id, id);
create index print_jobs_of_printer_status on print_jobs (account_id, printer_id, status, id);
create index print_jobs_of_status on print_jobs (account_id, status, id);
create index print_jobs_of_outlet on print_jobs (account_id, outlet_id);
create index print_jobs_of_sale on print_jobs (account_id, sale_id) where sale_id is not null;
create index print_jobs_age on print_jobs (created_at);

-- Each time a drawer was opened without a sale.
create table drawer_kicks (
  account_id text not null,
  id text not null,
  outlet_id text not null,
  printer_id text not null,
  job_id text not null,
  member_id text not null,
  reason text not null,
  created_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, outlet_id) references outlets on delete cascade
);
create index drawer_kicks_of_printer on drawer_kicks (account_id, printer_id, id);
create index drawer_kicks_of_outlet on drawer_kicks (account_id, outlet_id);
create index drawer_kicks_age on drawer_kicks (created_at);
