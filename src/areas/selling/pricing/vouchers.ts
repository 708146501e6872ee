import { foldCase } from '../../../core/conditions.ts'
import { invalid } from '../../../core/errors.ts'
import type { PromotionKind } from '../../../core/promotions.ts'
import { epochMsOf } from '../../../core/time.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { PriceBook } from './cache.ts'
import type { Use, VoucherRow } from './statements-uses.ts'
import * as statements from './statements-uses.ts'

/** What a sale with these codes and this customer may use. */
export type Vouchers = {
  codes: readonly string[]
  /** The promotions of the codes, each with the place of its code. */
  found: readonly (VoucherRow & { index: number })[]
  /** Promotions once per customer that the customer has used. */
  usedIds: ReadonlySet<string>
}

export const NO_VOUCHERS: Vouchers = { codes: [], found: [], usedIds: new Set() }

/** Reads the promotions of voucher codes, and the uses of the customer if a promotion limits them. */
export async function readVouchers(
  db: Db,
  scope: Scope,
  {
    codes,
    customerId,
    pricing,
  }: { codes: readonly string[]; customerId: string | null; pricing: Pick<PriceBook, 'promotions'> },
): Promise<Vouchers> {
  const rows = codes.length === 0 ? [] : await statements.findByCodes(db, scope, codes.map(foldCase))
  const byCode = new Map(rows.map((row) => [foldCase(row.code), row]))
  const found = codes.flatMap((code, index) => {
    const row = byCode.get(foldCase(code))
    return row ? [{ ...row, index }] : []
  })
  const once = [...pricing.promotions, ...rows].filter(({ oncePerCustomer }) => oncePerCustomer)
  const usedIds =
    customerId === null || once.length === 0
      ? new Set<string>()
      : await statements.findUsed(
          db,
          scope,
          customerId,
          once.map(({ id }) => id),
        )
  return { codes, found, usedIds }
}

/**
 * Throws 422 for a code that cannot be used now: repeated, unknown, inactive, outside its period, used up, or used by this
 * customer before (B-promo-5). `kept` are codes of the bill, which an edit does not check again.
 */
export function requireUsable(
  { codes, found, usedIds }: Vouchers,
  now: string,
  kept: readonly string[] = [],
): void {
  const earlier = new Set(kept.map(foldCase))
  const seen = new Set<string>()
  codes.forEach((code, index) => {
    const param = `voucherCodes[${index}]`
    const folded = foldCase(code)
    if (seen.has(folded)) throw invalid(param, 'The code is in the list twice: send it once')
    seen.add(folded)
    if (earlier.has(folded)) return
    const voucher = found.find((one) => one.index === index)
    if (!voucher?.isActive) throw invalid(param, 'No voucher has this code: check it and try again')
    const at = epochMsOf(now)
    if (voucher.startsAt !== null && at < epochMsOf(voucher.startsAt))
      throw invalid(param, 'The voucher is not valid yet: sell without it')
    if (voucher.endsAt !== null && at >= epochMsOf(voucher.endsAt))
      throw invalid(param, 'The voucher has expired: sell without it')
    if (voucher.usageLimit !== null && voucher.usedCount >= voucher.usageLimit) throw usedUp(param)
    if (usedIds.has(voucher.id)) throw usedBefore(param)
  })
}

const usedUp = (param: string) => invalid(param, 'The voucher is used up: take it off the sale')
const usedBefore = (param: string) =>
  invalid(param, 'This customer has used the promotion before: take it off the sale')

/** The promotions of bills whose uses count, each with its kind: those with a code and those once per customer. */
export type CountedPromotions = ReadonlyMap<string, PromotionKind>

export async function readCounted(
  db: Db,
  scope: Scope,
  promotions: readonly { id: string }[],
): Promise<CountedPromotions> {
  if (promotions.length === 0) return new Map()
  const ids = [...new Set(promotions.map(({ id }) => id))]
  return new Map((await statements.findCounted(db, scope, ids)).map(({ id, kind }) => [id, kind]))
}

/** The promotions of bills that are once per customer and that this customer has used (B-promo-8). */
export async function readUsedOnce(
  db: Db,
  scope: Scope,
  customerId: string | null,
  promotions: readonly { id: string }[],
): Promise<ReadonlySet<string>> {
  if (customerId === null || promotions.length === 0) return new Set()
  const ids = [...new Set(promotions.map(({ id }) => id))]
  const once = (await statements.findCounted(db, scope, ids)).filter(({ oncePerCustomer }) => oncePerCustomer)
  if (once.length === 0) return new Set()
  return statements.findUsed(
    db,
    scope,
    customerId,
    once.map(({ id }) => id),
  )
}

/**
 * Counts the uses of a completed sale under the locks of its promotions, so that the last use of a voucher goes to one sale
 * (B-promo-7). A sale that got a promotion before it had a code does not use the code. Throws 422 if a code is used up, or the
 * customer has used a promotion before.
 */
export async function claimUses(tx: Tx, scope: Scope, use: Use): Promise<void> {
  const counted = await statements.lockCounted(tx, scope, use)
  if (counted.length === 0) return
  const ids = counted.map(({ id }) => id)
  const used =
    use.customerId === null ? new Set<string>() : await statements.findUsed(tx, scope, use.customerId, ids)
  for (const { id, usageLimit, usedCount, oncePerCustomer, isVoucher } of counted) {
    if (use.isPaidFor) break
    if (isVoucher && usageLimit !== null && usedCount >= usageLimit) throw usedUp('voucherCodes')
    if (oncePerCustomer && used.has(id)) throw usedBefore(isVoucher ? 'voucherCodes' : 'customerId')
  }
  await statements.addUses(tx, scope, use, ids)
}

/** A voided sale gives its uses back. */
export const returnUses = (tx: Tx, scope: Scope, saleId: string): Promise<void> =>
  statements.removeUses(tx, scope, saleId)
