-- Customer credit (docs/behaviour.md, chapter Customer credit): what a customer may owe, what they owe, and each entry of it.

alter table customers
  add column credit_limit bigint not null default 0,
  add column credit_balance bigint not null default 0;
alter table customers add constraint customers_credit_limit check (credit_limit between 0 and 1000000000);
alter table customers add constraint customers_credit_balance check (credit_balance >= 0);

-- Append-only but for `open`, which is what is still owed of a charge. Payments and reversals are negative and lower it.
create table customer_credit_entries (
  account_id text not null,
  id text not null,
  customer_id text not null,
  type text not null check (type in ('CHARGE', 'PAYMENT', 'REVERSAL')),
  amount bigint not null,
  open bigint not null,
  balance_after bigint not null check (balance_after >= 0),
  due_date date,
  sale_id text,
  payment_id text,
  refund_id text,
  outlet_id text not null,
  shift_id text,
  method text check (method in ('CASH', 'QRIS', 'VA', 'CARD', 'TRANSFER', 'OTHER')),
  actor_id text not null,
  approved_by text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, customer_id) references customers,
  check (case type when 'CHARGE' then amount > 0 and open between 0 and amount and payment_id is not null
    else amount < 0 and open = 0 and due_date is null end),
  check ((type = 'PAYMENT') = (method is not null))
);
create index customer_credit_entries_customer on customer_credit_entries (account_id, customer_id, id);
create index customer_credit_entries_open on customer_credit_entries (account_id, customer_id, id) where open > 0;
create index customer_credit_entries_sale on customer_credit_entries (account_id, sale_id) where sale_id is not null;
create index customer_credit_entries_shift on customer_credit_entries (account_id, shift_id) where shift_id is not null;

alter table payments drop constraint payments_method_check;
alter table payments add constraint payments_method_check
  check (method in ('CASH', 'QRIS', 'VA', 'CARD', 'TRANSFER', 'GIFT_CARD', 'CREDIT', 'OTHER'));
alter table payments add column due_date date;
alter table payments add constraint payments_due_date check (due_date is null or method = 'CREDIT');
