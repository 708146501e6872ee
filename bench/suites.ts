import type { Suite } from './lib/suite.ts'
import { backup } from './suites/backup.ts'
import { kitchen } from './suites/kitchen.ts'
import { lists } from './suites/lists.ts'
import { lookup } from './suites/lookup.ts'
import { marketing } from './suites/marketing.ts'
import { reads } from './suites/reads.ts'
import { reports } from './suites/reports.ts'
import { sales } from './suites/sales.ts'
import { streams } from './suites/streams.ts'
import { webhooks } from './suites/webhooks.ts'

/** In the order of a run. What only reads the shared history comes before what sells in it. */
export const suites: readonly Suite[] = [
  sales,
  lookup,
  reads,
  kitchen,
  streams,
  lists,
  reports,
  webhooks,
  marketing,
  backup,
]
