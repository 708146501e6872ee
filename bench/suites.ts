import type { Suite } from './lib/suite.ts'
import { alone } from './suites/alone.ts'
import { backup } from './suites/backup.ts'
import { bill } from './suites/bill.ts'
import { catalogue } from './suites/catalogue.ts'
import { client } from './suites/client.ts'
import { close } from './suites/close.ts'
import { cluster } from './suites/cluster.ts'
import { footprint } from './suites/footprint.ts'
import { fresh } from './suites/fresh.ts'
import { gateway } from './suites/gateway.ts'
import { growth } from './suites/growth.ts'
import { hotOutlet } from './suites/hot-outlet.ts'
import { kitchen } from './suites/kitchen.ts'
import { lists } from './suites/lists.ts'
import { lookup } from './suites/lookup.ts'
import { marketing } from './suites/marketing.ts'
import { memory } from './suites/memory.ts'
import { noise } from './suites/noise.ts'
import { office } from './suites/office.ts'
import { processes } from './suites/processes.ts'
import { profile } from './suites/profile.ts'
import { promotions } from './suites/promotions.ts'
import { reads } from './suites/reads.ts'
import { reports } from './suites/reports.ts'
import { sales } from './suites/sales.ts'
import { start } from './suites/start.ts'
import { streams } from './suites/streams.ts'
import { tillCatalogue } from './suites/till-catalogue.ts'
import { web } from './suites/web.ts'
import { webhooks } from './suites/webhooks.ts'

/**
 * In the order of a run: suites that share a database are adjacent, and those that only read come before those that
 * sell.
 */
export const suites: readonly Suite[] = [
  sales,
  alone,
  bill,
  processes,
  promotions,
  close,
  memory,
  hotOutlet,
  fresh,
  lookup,
  reads,
  kitchen,
  streams,
  start,
  catalogue,
  tillCatalogue,
  lists,
  reports,
  growth,
  noise,
  webhooks,
  marketing,
  gateway,
  client,
  backup,
  cluster,
  footprint,
  web,
  office,
  profile,
]
