create table reference_payment.gift_cards (
  workspace_id text not null references reference_payment.workspaces (id),
  id text not null,
  code text not null,
  code_key text not null,
  kind text not null check (kind in ('GIFT_CARD', 'STORE_CREDIT')),
  initial_amount bigint not null check (initial_amount > 0),
  balance bigint not null check (balance >= 0),
  note text,
  voided_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, code_key),
  check (voided_at is null or balance = 0)
);

create table reference_payment.gift_card_entries (
  workspace_id text not null,
  id text not null,
  card_id text not null,
  seq bigint not null,
  type text not null check (type in ('ISSUE', 'REDEEM', 'REFUND', 'VOID')),
  amount bigint not null check (amount <> 0),
  balance_after bigint not null check (balance_after >= 0),
  reference text,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, card_id) references reference_payment.gift_cards (workspace_id, id)
);
create unique index gift_card_entries_of_card on reference_payment.gift_card_entries (workspace_id, card_id, seq);
create trigger gift_card_entries_stay before update or delete on reference_payment.gift_card_entries
  for each row execute function reference_payment.refuse_change();

-- Numbers come from rows, which a backup holds; where a sequence stands is in no table.
insert into reference_payment.counters (workspace_id, name, value)
  select 'wsp_platform', 'va', coalesce(max(substr(va_number, 6)::bigint), 0) from reference_payment.checkout_sessions;
drop sequence reference_payment.va_numbers;

insert into reference_payment.counters (workspace_id, name, value)
  select workspace_id, 'ledger', max(seq) from reference_payment.ledger_transfers group by workspace_id;
alter table reference_payment.ledger_transfers alter column seq drop identity;
