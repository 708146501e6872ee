/**
 * One valid request per route, built in the caller's own workspace, in a file for each district. The tenancy, idempotency
 * and bad-input tests derive their cases from these: a route without an entry fails the tests, and so does an id field
 * that no request fills.
 */
import type { Route } from '../../../src/platform/http/route.ts'
import type { Api } from '../../support/api.ts'
import { enableModule } from '../../support/build.ts'
import { type Make, nameOf, type Probe } from '../request.ts'
import { catalogue } from './catalogue.ts'
import { dining } from './dining.ts'
import { insight } from './insight.ts'
import { marketing } from './marketing.ts'
import { partners } from './partners.ts'
import { selling } from './selling.ts'
import { stockRooms } from './stock.ts'
import { workspace } from './workspace.ts'

const PROBES: Record<string, Make> = {
  ...workspace,
  ...catalogue,
  ...selling,
  ...dining,
  ...stockRooms,
  ...marketing,
  ...partners,
  ...insight,
}

export const probedNames = Object.keys(PROBES)
export const hasProbe = (row: Route) => nameOf(row) in PROBES

export async function probeFor(row: Route, api: Api): Promise<Probe> {
  const make = PROBES[nameOf(row)]
  if (!make) throw new Error(`test/table/probes has no request for ${nameOf(row)}`)
  if (row.module) await enableModule(api, row.module)
  return make(api)
}
