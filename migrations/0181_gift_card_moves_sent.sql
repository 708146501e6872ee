-- Since when the partner may have carried out a movement whose answer is missing. The partner keeps Idempotency-Keys for thirty
-- days: later the same request would move the money again. Null if nothing was sent, or the answer is known.
alter table gift_card_moves add column sent_at timestamptz(3);
update gift_card_moves set sent_at = created_at where state in ('ASKED', 'RETURNING') or (state = 'OWED' and tries > 0);
-- EXPIRED: the outcome is unknown and can no longer be found out, so a person has to look.
alter table gift_card_moves drop constraint gift_card_moves_state_check;
alter table gift_card_moves add constraint gift_card_moves_state_check
  check (state in ('ASKED', 'HELD', 'RETURNING', 'OWED', 'REFUSED', 'EXPIRED'));
