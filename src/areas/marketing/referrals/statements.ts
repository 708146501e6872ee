import { rowsInsert } from '../../../platform/db/insert-rows.ts'
import { statement, writeStatement } from '../../../platform/db/statement.ts'

/** The inner select is limited like the outer one: a sharded database would otherwise ask the workers of all workspaces. */
const running = (
  of: (alias: string) => string,
) => `select p.account_id as "accountId", p.enabled from referral_programs p
    where (p.enabled or exists (select from referral_attributions a
        where a.account_id = p.account_id and a.status = 'pending'${of('a')}))
      and p.account_id > $1${of('p')} order by p.account_id limit $2`

/** Workspaces whose program is on or has pending attributions, after the id $1. A run pages through all of them. */
export const RUNNING = statement(
  'referrals_running',
  running(() => ''),
)
/** The same query, limited to the workspaces $3. */
export const RUNNING_OF = statement(
  'referrals_running_of',
  running((alias) => ` and ${alias}.account_id = any($3)`),
)

/** Locks the program and reads its position in the event log. Skips a program that another process has locked. */
export const LOCK = statement(
  'referrals_lock',
  `select p.reward_type as "rewardType", p.referrer_value as "referrerValue", p.referee_value as "refereeValue", p.currency,
      p.min_purchase_amount as "minPurchaseAmount", p.reward_expiry_days as "rewardExpiryDays",
      p.attribution_window_days as "attributionWindowDays", p.max_rewards_per_referrer as "maxRewardsPerReferrer",
      p.enabled_at as "enabledAt", p.seen_tx::text as "seenTx", p.seen_id as "seenId"
    from referral_programs p where p.account_id = $1 and p.enabled for no key update skip locked`,
)

/**
 * Reads completed sales in the order of their commits, after the event ($2, $3) and up to transaction $6, before
 * which nothing can appear any more (decision 0016). Returns at most $4 sales, none announced before $5.
 */
export const COMPLETED = statement(
  'referrals_completed',
  `select e.id, e.tx::text as tx, e.ref_id as "saleId" from events e
    where e.account_id = $1 and (e.tx, e.id) > ($2::text::xid8, $3)
      and e.tx <= $6::text::xid8
      and e.type = 'service.sale.completed.v1' and e.created_at >= $5
    order by e.tx, e.id limit $4`,
)

/**
 * Reads the sales that count: still completed and with a customer. After a second read of the log, some of them are
 * attributed or have used a reward already.
 */
export const FACTS = statement(
  'referrals_facts',
  `select s.id as "saleId", s.customer_id as "customerId", s.total, s.delivery_fee as "deliveryFee",
      s.completed_at as "completedAt", upper(s.discount_code) as code,
      not exists (select from referral_links l where l.account_id = $1 and l.customer_id = c.id) as "isNew",
      exists (select from referral_attributions a where a.account_id = $1 and a.sale_id = s.id) as "isAttributed",
      exists (select from referral_attributions a where a.account_id = $1 and a.rewarded_sale_id = s.id) as "isRewarded"
    from sales s join customers c on c.account_id = $1 and c.id = s.customer_id and c.is_active
    where s.account_id = $1 and s.id = any($2::text[]) and s.status = 'COMPLETED'
    order by s.completed_at, s.id`,
)

/**
 * Adds links. A customer who has a link keeps it. If the code is taken, no link is created; the customer's next sale
 * tries again.
 */
export const addLinks = rowsInsert<{ id: string; customerId: string; code: string }>({
  name: 'referrals_add_links',
  into: 'referral_links',
  shared: { clicks: 'bigint', created_at: 'timestamptz', updated_at: 'timestamptz' },
  columns: { id: 'text', customer_id: 'text', code: 'text' },
  rest: 'on conflict do nothing',
})

/** Finds links by code, each with the number of rewards it has earned. */
export const LINKS_OF = statement(
  'referrals_links_of',
  `select l.id as "linkId", l.customer_id as "customerId", l.code, l.created_at as "createdAt",
      l.last_clicked_at as "lastClickedAt",
      (select count(*)::int from referral_attributions a
        where a.account_id = $1 and a.link_id = l.id and a.status <> 'rejected') as earned
    from referral_links l where l.account_id = $1 and l.code = any($2::text[])`,
)

export type NewAttribution = {
  linkId: string
  saleId: string
  status: 'pending' | 'rejected'
  referrerReward: number
  refereeReward: number
}

/** Adds attributions. A sale has at most one, even if the log is read again. */
export const attribute = rowsInsert<NewAttribution & { id: string }>({
  name: 'referrals_attribute',
  into: 'referral_attributions',
  shared: {
    currency: 'text',
    expires_at: 'timestamptz',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  columns: {
    id: 'text',
    link_id: 'text',
    sale_id: 'text',
    status: 'text',
    referrer_reward: 'bigint',
    referee_reward: 'bigint',
  },
  rest: 'on conflict (account_id, sale_id) do nothing',
})

const isTakenBack = (sale: string) => `(${sale}.status = 'VOIDED'
      or ${sale}.total > 0 and ${sale}.refunded_goods + ${sale}.refunded_tax + ${sale}.refunded_service
        + ${sale}.refunded_delivery_fee = ${sale}.total)`

/**
 * Lists the rewards of these links that no purchase has used and that had not expired by $3, oldest first, each with the
 * time when it was earned. A purchase can be read after its reward was settled as expired.
 */
export const UNUSED = statement(
  'referrals_unused',
  `select a.id, a.link_id as "linkId", s.completed_at as "earnedAt", a.expires_at as "expiresAt"
    from referral_attributions a join sales s on s.account_id = $1 and s.id = a.sale_id
    where a.account_id = $1 and a.link_id = any($2::text[])
      and (a.status = 'pending' or a.status = 'expired' and a.expires_at > $3::timestamptz) and not ${isTakenBack('s')}
    order by s.completed_at, a.id`,
)

/** Marks the rewards $3 as used by the sales $4. */
export const REWARD = writeStatement(
  'referrals_reward',
  `update referral_attributions a
      set status = 'rewarded', rewarded_sale_id = x.sale_id, updated_at = $2::timestamptz
      from unnest($3::text[], $4::text[]) as x (id, sale_id)
      where a.account_id = $1 and a.id = x.id and a.status in ('pending', 'expired')`,
)

/** Ends unused rewards: rejected if the sale was voided or refunded, expired if they are too old. */
export const SETTLE = writeStatement(
  'referrals_settle',
  `update referral_attributions a set updated_at = $2::timestamptz,
      status = case when ${isTakenBack('s')} then 'rejected' else 'expired' end
    from sales s
    where a.account_id = $1 and a.status = 'pending' and s.account_id = $1 and s.id = a.sale_id
      and (a.expires_at <= $2 or ${isTakenBack('s')})`,
)

export const STATS = statement(
  'referrals_stats',
  `select (select count(*)::int from referral_links l where l.account_id = $1) as links,
      (select coalesce(sum(l.clicks), 0)::bigint from referral_links l where l.account_id = $1) as clicks,
      count(*) filter (where a.status <> 'rejected')::int as conversions,
      count(*) filter (where a.status = 'rewarded')::int as "rewardsIssued",
      coalesce(sum(s.total - s.refunded_goods - s.refunded_tax - s.refunded_service - s.refunded_delivery_fee)
        filter (where a.status <> 'rejected' and s.status = 'COMPLETED'), 0)::bigint as revenue
    from referral_attributions a join sales s on s.account_id = $1 and s.id = a.sale_id
    where a.account_id = $1`,
)

/** Lists links, newest first, after the link $2 if it is given. */
export const LIST_LINKS = statement(
  'referrals_list_links',
  `select l.id, l.customer_id as "customerId", l.code, l.clicks,
      (select count(*)::int from referral_attributions a
        where a.account_id = $1 and a.link_id = l.id and a.status <> 'rejected') as conversions,
      l.created_at as "createdAt", l.updated_at as "updatedAt"
    from referral_links l where l.account_id = $1 and ($2::text is null or l.id < $2)
    order by l.id desc limit $3`,
)

/** Stores the position of the reader: it has processed all events up to ($2, $3). */
export const SEEN = writeStatement(
  'referrals_seen',
  'update referral_programs p set seen_tx = $2::text::xid8, seen_id = $3 where p.account_id = $1',
)

export const CLICK = writeStatement(
  'referrals_click',
  `update referral_links l set clicks = l.clicks + 1, last_clicked_at = $3::timestamptz
    where l.account_id = $1 and l.code = $2 returning l.code`,
)
