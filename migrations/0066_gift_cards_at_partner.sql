-- Gift cards whose value lies at the payment partner. The row here keeps the code, the owner and the last known balance, so
-- lists and filters stay ours; `partner_place` names the place of the workspace at the partner that issued the card, and
-- `partner_at` is the partner's own time of what is known.
alter table gift_cards add column partner_place text;
alter table gift_cards add column partner_card_id text;
alter table gift_cards add column partner_at timestamptz(3);
alter table gift_cards add constraint gift_cards_partner check ((partner_place is null) = (partner_card_id is null));
create unique index gift_cards_partner_card on gift_cards (account_id, partner_place, partner_card_id)
  where partner_card_id is not null;

-- Movements of value at the partner that are not settled: a row is written before the partner is asked, and goes in the
-- transaction of what the movement is for. What stays behind is put in order by a job. `id` is the Idempotency-Key.
create table gift_card_moves (
  account_id text not null references accounts,
  id text not null,
  kind text not null check (kind in ('DEBIT', 'CREDIT', 'ISSUE')),
  -- Null for a card that is not there yet.
  gift_card_id text,
  partner_place text not null,
  -- Null until the partner has issued the card.
  partner_card_id text,
  amount bigint not null check (amount > 0),
  -- What the partner was asked, as JSON: it must be the same each time.
  asked text not null,
  -- The Idempotency-Key of the request, and which of its movements this is: who sends it again finds the movement, until it
  -- is to be undone.
  request_key text,
  slot text,
  -- ASKED: sent, unanswered. HELD: done, its sale not yet stored. RETURNING: to be undone. OWED: to be done. REFUSED: the
  -- partner will not, somebody has to look.
  state text not null check (state in ('ASKED', 'HELD', 'RETURNING', 'OWED', 'REFUSED')),
  balance_after bigint,
  answered_at timestamptz(3),
  tries integer not null default 0,
  due_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  check (kind = 'ISSUE' or (gift_card_id is not null and partner_card_id is not null))
);
create unique index gift_card_moves_request on gift_card_moves (account_id, request_key, slot);
create index gift_card_moves_due on gift_card_moves (due_at);
create index gift_card_moves_age on gift_card_moves (updated_at);
