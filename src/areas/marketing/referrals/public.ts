import { linkOf, PLACEHOLDER } from '../../../core/links.ts'
import type { WriteDb } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import * as store from './store.ts'

type Followed = { code: string; now: string; isCounted: boolean; elsewhere: string | null }

/**
 * Where a link leads: `landingUrl` of the program, else `elsewhere`. Undefined when the program is off, nobody has the code,
 * or it leads nowhere. Counts the click unless it is only looked at (B-public-4).
 */
export async function followLink(
  db: WriteDb,
  account: Pick<Scope, 'accountId'>,
  { code: sent, now, isCounted, elsewhere }: Followed,
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
