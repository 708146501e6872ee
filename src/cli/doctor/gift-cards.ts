import type pg from 'pg'
import { type Finding, ok, warn } from './finding.ts'

const NAME = 'gift cards'
/** Lines for cards that somebody has to look after; more are counted. */
const SHOWN = 10

const instant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

type Refused = {
  id: string
  workspace: string
  card: string
  amount: string
  owedSince: string
  total: string
}
type Waiting = { count: string; amount: string; since: string | null }

/** What is not settled with cards of the payment partner: money that it will not take back, and money that waits for it. */
export async function giftCards(client: pg.ClientBase): Promise<Finding[]> {
  const { rows: refused } = await client.query<Refused>(
    `select m.id, m.account_id as workspace, coalesce(right(g.code, 4), '?') as card, m.amount,
        ${instant('m.created_at')} as "owedSince", count(*) over () as total
      from gift_card_moves m left join gift_cards g on g.account_id = m.account_id and g.id = m.gift_card_id
      where m.state = 'REFUSED' order by m.updated_at desc, m.id limit ${SHOWN}`,
  )
  const { rows } = await client.query<Waiting>(
    `select count(*) as count, coalesce(sum(amount), 0) as amount, ${instant('min(created_at)')} as since
      from gift_card_moves where state <> 'REFUSED' and created_at < now() - interval '10 minutes'`,
  )
  const findings = [...refused.map(refusal), ...beyond(refused), ...rows.flatMap(waiting)]
  return findings.length > 0 ? findings : [ok(NAME, 'nothing is owed to cards at the payment partner')]
}

const refusal = ({ id, workspace, card, amount, owedSince }: Refused): Finding =>
  warn(
    NAME,
    `the payment partner refused Rp ${amount} for the card …${card} of ${workspace}, owed since ${owedSince} (${id})`,
    'Nobody has this money yet: give it to the customer another way, or have the partner put it on a card.',
  )

const beyond = ([first]: readonly Refused[]): Finding[] =>
  first && Number(first.total) > SHOWN
    ? [warn(NAME, `${Number(first.total) - SHOWN} more were refused`, 'gift_card_moves has all of them.')]
    : []

const waiting = ({ count, amount, since }: Waiting): Finding[] =>
  since === null
    ? []
    : [
        warn(
          NAME,
          `${count} movements of Rp ${amount} wait for the payment partner, the oldest since ${since}`,
          'They are settled by themselves once it answers; GET /health says whether it does.',
        ),
      ]
