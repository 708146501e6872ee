import { linkOf, PLACEHOLDER } from '../../../core/links.ts'
import type { WriteDb } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import * as store from './store.ts'

type LinkVisit = { code: string; now: string; isCounted: boolean; elsewhere: string | null }

/**
 * Returns the target of a link: the `landingUrl` of the program, else `elsewhere`. Returns undefined if the program
 * is off, the code is unknown, or there is no target. Counts the click unless `isCounted` is false (B-public-4).
 */
export async function visitLink(
  db: WriteDb,
  account: Pick<Scope, 'accountId'>,
  { code: sent, now, isCounted, elsewhere }: LinkVisit,
): Promise<string | undefined> {
  const program = await store.find(db, account)
  if (!program?.enabled) return undefined
  const code = sent.toUpperCase()
  const target = linkOf(
    (program.landingUrl ?? elsewhere ?? '').replaceAll(PLACEHOLDER, encodeURIComponent(code)),
  )
  if (target === null) return undefined
  const isKnown = isCounted
    ? await store.click(db, account, code, now)
    : await store.hasCode(db, account, code)
  return isKnown ? target : undefined
}
