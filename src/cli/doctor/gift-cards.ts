import type pg from 'pg'
import { type Finding, ok, warn } from '../../platform/doctor/finding.ts'

const NAME = 'gift cards'
/** How many movements are listed; the rest are counted. */
const SHOWN = 10

const instant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

type UnsettledMove = {
  id: string
  state: 'REFUSED' | 'EXPIRED'
  workspace: string
  card: string
  amount: string
  since: string
  total: string
}
type WaitingReversals = { count: string; amount: string; since: string | null }

/**
 * Reports gift-card money not settled with the payment partner: refused amounts, those with an unknown outcome, and
 * amounts still waiting.
 */
export async function giftCards(client: pg.ClientBase): Promise<Finding[]> {
  const { rows: unsettled } = await client.query<UnsettledMove>(
    `select m.id, m.state, m.account_id as workspace, coalesce(right(g.code, 4), '?') as card, m.amount,
        ${instant('m.created_at')} as since, count(*) over () as total
      from gift_card_moves m left join gift_cards g on g.account_id = m.account_id and g.id = m.gift_card_id
      where m.state in ('REFUSED', 'EXPIRED') order by m.updated_at desc, m.id limit ${SHOWN}`,
  )
  const { rows } = await client.query<WaitingReversals>(
    `select count(*) as count, coalesce(sum(amount), 0) as amount, ${instant('min(created_at)')} as since
      from gift_card_moves where state not in ('REFUSED', 'EXPIRED') and created_at < now() - interval '10 minutes'`,
  )
  const findings = [...unsettled.map(unsettledMove), ...beyond(unsettled), ...rows.flatMap(waiting)]
  return findings.length > 0 ? findings : [ok(NAME, 'nothing is owed to cards at the payment partner')]
}

const unsettledMove = ({ id, state, workspace, card, amount, since }: UnsettledMove): Finding =>
  state === 'REFUSED'
    ? warn(
        NAME,
        `the payment partner refused Rp ${amount} for the card …${card} of ${workspace}, owed since ${since} (${id})`,
        'The customer has not received this money: pay it out another way, or ask the partner to put it on a card.',
      )
    : warn(
        NAME,
        `the payment partner gave no answer about Rp ${amount} for the card …${card} of ${workspace} since ${since} (${id})`,
        'It is too old to be sent again. Compare the balance at the partner with the ledger of the card here.',
      )

const beyond = ([first]: readonly UnsettledMove[]): Finding[] =>
  first && Number(first.total) > SHOWN
    ? [
        warn(
          NAME,
          `${Number(first.total) - SHOWN} more are not settled`,
          'The table gift_card_moves lists all of them.',
        ),
      ]
    : []

const waiting = ({ count, amount, since }: WaitingReversals): Finding[] =>
  since === null
    ? []
    : [
        warn(
          NAME,
          `${count} movements of Rp ${amount} wait for the payment partner, the oldest since ${since}`,
          'They settle automatically when it answers; GET /health shows whether it does.',
        ),
      ]
