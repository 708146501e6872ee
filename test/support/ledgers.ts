import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '../../src/platform/db/open.ts'

/** What may never be true of cards, points and drawers; each query answers the rows that break it. */
const LEDGER_INVARIANTS = {
  'the balance of a card is the sum of its entries': sql`
    select c.id, c.balance, sum(e.amount) as entries from gift_cards c
    left join gift_card_entries e on e.account_id = c.account_id and e.gift_card_id = c.id
    group by c.account_id, c.id, c.balance having c.balance <> coalesce(sum(e.amount), 0)`,
  'the ledger of a card adds up entry by entry': sql`
    select id, balance_after, running from (
      select id, balance_after, sum(amount) over
        (partition by account_id, gift_card_id order by id rows unbounded preceding) as running
      from gift_card_entries) ledger
    where balance_after <> running`,
  'a card tells by its status whether it holds money': sql`
    select id, status, balance from gift_cards where (status = 'ACTIVE') <> (balance > 0)`,
  'a card is issued once, voided at most once and moves no more afterwards': sql`
    select e.gift_card_id from gift_card_entries e join gift_cards c on c.account_id = e.account_id and c.id = e.gift_card_id
    group by e.account_id, e.gift_card_id, c.status
    having count(*) filter (where e.type = 'ISSUE') <> 1
      or (count(*) filter (where e.type = 'VOID') = 1) <> (c.status = 'VOIDED')
      or max(e.id) filter (where e.type = 'VOID') <> max(e.id)`,
  'a card tender has its one debit': sql`
    select p.id, p.amount from payments p
    left join gift_card_entries e on e.account_id = p.account_id and e.payment_id = p.id and e.type = 'REDEEM'
      and e.gift_card_id = p.gift_card_id and e.amount = -p.amount and e.transaction_id = p.sale_id
    where p.method = 'GIFT_CARD' and p.status = 'PAID'
    group by p.account_id, p.sale_id, p.id, p.amount having count(e.id) <> 1`,
  'a debit of a sale has its one card tender': sql`
    select e.id from gift_card_entries e
    join sales s on s.account_id = e.account_id and s.id = e.transaction_id
    left join payments p on p.account_id = e.account_id and p.sale_id = s.id and p.id = e.payment_id and p.status = 'PAID'
    where e.type = 'REDEEM' and p.id is null`,
  'store credit is worth what its refund gave': sql`
    select c.id, c.initial_amount, r.amount from gift_cards c
    join refunds r on r.account_id = c.account_id and r.id = c.source_refund_id
    where c.kind <> 'STORE_CREDIT' or c.initial_amount <> r.amount`,
  'the points of a customer are the sum of the ledger': sql`
    select c.id, c.points_balance, sum(e.points) as entries from customers c
    left join loyalty_entries e on e.account_id = c.account_id and e.customer_id = c.id
    group by c.account_id, c.id, c.points_balance having c.points_balance <> coalesce(sum(e.points), 0)`,
  'the points ledger adds up entry by entry': sql`
    select id, balance_after, running from (
      select id, balance_after, sum(points) over
        (partition by account_id, customer_id order by id rows unbounded preceding) as running
      from loyalty_entries) ledger
    where balance_after <> running`,
  'no redemption and no adjustment down took a balance below zero': sql`
    select id from loyalty_entries
    where balance_after < 0 and (type = 'REDEEM' or (type = 'ADJUST' and points < 0))`,
  'a sale gives back at most the points it earned, once': sql`
    select transaction_id from loyalty_entries where type in ('EARN', 'REVERSE')
    group by account_id, transaction_id having sum(points) < 0 or count(*) filter (where type = 'EARN') > 1`,
  'a sale knows the points it left with its customer': sql`
    select s.id, s.points_earned, sum(e.points) as entries from sales s
    left join loyalty_entries e on e.account_id = s.account_id and e.transaction_id = s.id and e.type in ('EARN', 'REVERSE')
    group by s.account_id, s.id, s.points_earned having s.points_earned <> coalesce(sum(e.points), 0)`,
  'a cashier has one open drawer per outlet': sql`
    select outlet_id, cashier_id from shifts where status = 'OPEN'
    group by account_id, outlet_id, cashier_id having count(*) > 1`,
  'a closed shift keeps the figures of its close, an open one has none': sql`
    select id from shifts
    where (status = 'CLOSED') <> (counted_cash is not null and difference is not null and summary is not null
        and expected_cash is not null and closed_at is not null and closed_by is not null)
      or difference <> counted_cash - expected_cash
      or expected_cash <> (summary -> 'cash' ->> 'expected')::bigint`,
  'the expected cash of a closed shift is what was booked to it, and nothing was booked later': sql`
    select s.id, s.expected_cash, s.opening_float + coalesce(p.cash, 0) - coalesce(r.cash, 0) + coalesce(m.cash, 0) as booked
    from shifts s
    left join (select account_id, shift_id, sum(amount) as cash from payments
      where method = 'CASH' and status = 'PAID' and applied group by 1, 2) p
      on p.account_id = s.account_id and p.shift_id = s.id
    left join (select r.account_id, r.shift_id, sum(t.amount) as cash from refunds r
      join refund_tenders t on t.account_id = r.account_id and t.refund_id = r.id and t.method = 'CASH' group by 1, 2) r
      on r.account_id = s.account_id and r.shift_id = s.id
    left join (select account_id, shift_id, sum(case type when 'PAID_IN' then amount else -amount end) as cash
      from cash_movements group by 1, 2) m
      on m.account_id = s.account_id and m.shift_id = s.id
    where s.status = 'CLOSED'
      and s.expected_cash <> s.opening_float + coalesce(p.cash, 0) - coalesce(r.cash, 0) + coalesce(m.cash, 0)`,
} as const

/** Needs the books of the sales themselves: what a customer spent and how often is what the sales say. */
const CUSTOMER_INVARIANTS = {
  'what a customer spent and how often is the sum of the completed sales less their refunds': sql`
    select c.id, c.total_spent, c.visit_count from customers c
    left join sales s on s.account_id = c.account_id and s.customer_id = c.id and s.status = 'COMPLETED'
    group by c.account_id, c.id, c.total_spent, c.visit_count
    having c.visit_count <> count(s.id)
      or c.total_spent <> coalesce(sum(s.total - s.refunded_goods - s.refunded_tax - s.refunded_delivery_fee), 0)`,
} as const

type Invariants = Record<string, (typeof LEDGER_INVARIANTS)[keyof typeof LEDGER_INVARIANTS]>

async function assertAll(db: Db, invariants: Invariants): Promise<void> {
  for (const [name, query] of Object.entries(invariants)) {
    const { rows } = await query.execute(db)
    expect(rows, name).toEqual([])
  }
}

/** Holds after every operation on cards, points and shifts; reads every workspace of the database. */
export const assertLedgerInvariants = (db: Db) => assertAll(db, LEDGER_INVARIANTS)

/** Holds where customers only ever bought through sales that are in the database. */
export const assertCustomerTotals = (db: Db) => assertAll(db, CUSTOMER_INVARIANTS)
