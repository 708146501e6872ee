import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createApp } from '../app.ts'
import { addDays, addMs, dayOf, startOfDay } from '../core/time.ts'
import { OUTLETS } from '../demo/catalogue.ts'
import { signedIn } from '../demo/client.ts'
import { planDays } from '../demo/days.ts'
import { type Furnished, furnish, inventoryOf, openWorkspace, reopen } from '../demo/furnish.ts'
import { findLogin, type KnownLogin, keepLogin, type OpenStory } from '../demo/logins.ts'
import { makeDeps, prepareDatabase } from '../main.ts'
import { manualClock, systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { ALL_TABLES, analyzeTables } from '../platform/db/statistics.ts'
import type { Deps } from '../platform/deps.ts'
import { API_PREFIX } from '../platform/http/route.ts'
import { makeLog } from '../platform/log.ts'
import { randomToken } from '../platform/secrets.ts'
import { callableAddress } from './address.ts'
import { say } from './command.ts'
import { withDatabase } from './database.ts'
import { progressOf } from './progress.ts'

export type DemoOptions = { email: string; days: number; share: number; newKey: boolean }

const SEED = 17
/** A workspace is never emptied from here: it may hold what somebody tried out in it. */
const ANOTHER = '--email with another address makes a complete one.'
const ZONE = OUTLETS.cafe.timezone
/** What shells answer for a command that was ended by Ctrl-C. */
const INTERRUPTED = 130

type Clock = ReturnType<typeof manualClock>
type Stage = {
  app: FastifyInstance
  deps: Deps
  config: Config
  clock: Clock
  address: string
  dataDir: string
}

/** Fills a workspace once; called again it continues where it was interrupted, or only says how to sign in. */
export async function runDemo(config: Config, options: DemoOptions) {
  // The routes are called in this process with a clock of their own; limits are for callers from outside.
  const quiet: Config = {
    ...config,
    rateLimitPerMinute: 0,
    logRequests: 'none',
    databasePoolSize: 4,
    // Who runs the command owns the installation, and nobody reads mails to the people of a story.
    signup: 'open',
    smtpUrl: null,
  }
  await withDatabase(config, say, async ({ url, inUse }) => {
    for (const name of await prepareDatabase(config, url)) say(`Applied ${name}`)
    const now = systemClock.now()
    const clock = manualClock(now)
    const deps = await makeDeps({ config: quiet, url: withoutWaiting(url), clock, log: makeLog('fatal') })
    const app = await createApp(deps)
    try {
      const address = await callableAddress(config, inUse)
      const stage: Stage = { app, deps, config, clock, address, dataDir: path.resolve(config.dataDir) }
      const exists = await deps.pool.query('select 1 from member_emails where email = $1', [options.email])
      if (exists.rowCount === 0) return await begin(stage, options, now)
      const known = await findLogin(stage.dataDir, options.email)
      if (known?.story && known.apiKey !== null) return await goOn(stage, known, known.story)
      await welcomeBack(stage, known, options)
    } finally {
      await app.close()
      await deps.close()
    }
  })
}

/** Invented sales need not survive a power cut one by one, and waiting for the disk is much of their time. */
function withoutWaiting(url: string): string {
  const address = new URL(url)
  address.searchParams.set('options', '-c synchronous_commit=off')
  return address.toString()
}

const morningOf = (day: string) => addMs(startOfDay(day, ZONE), 5 * 3_600_000)

async function begin(stage: Stage, { email, days, share }: DemoOptions, now: string) {
  const { app, clock, dataDir } = stage
  const firstDay = addDays(dayOf(now, ZONE), -days)
  clock.set(morningOf(firstDay))
  const login = { email, password: randomToken().slice(0, 16) }
  say('Opening a workspace with a café, a shop and a pharmacy')
  const owner = await openWorkspace(app, login)
  // Kept at once: a run that breaks off must be known by the next one, and can be looked at until then.
  await keepLogin(dataDir, { ...login, apiKey: null, isReady: false })
  const furnished = await unlessBroken(furnish(app, { owner, login, today: firstDay }))
  const known: KnownLogin = { ...login, apiKey: furnished.apiKey, isReady: false }
  await keepLogin(dataDir, known)
  await tellStory(stage, known, furnished, { firstDay, days: days + 1, until: now, share })
}

async function goOn(stage: Stage, known: KnownLogin, { inventory, ...story }: OpenStory) {
  const { email, password, apiKey } = known
  say(`Continuing the demo of ${email}`)
  stage.clock.set(morningOf(addDays(story.firstDay, story.bookmark.day)))
  const login = { email, password }
  const furnished = await reopen(stage.app, { ...inventory, login, apiKey: apiKey ?? '' })
  await tellStory(stage, known, furnished, story)
}

type Telling = Omit<OpenStory, 'inventory' | 'bookmark'> & Partial<Pick<OpenStory, 'bookmark'>>

async function tellStory(stage: Stage, known: KnownLogin, furnished: Furnished, telling: Telling) {
  const { clock, dataDir } = stage
  const inventory = inventoryOf(furnished)
  let goesOn = true
  let missed = 0
  const interrupt = () => {
    goesOn = false
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, interrupt)
  const { visits, tell } = planDays({
    ...telling,
    clock,
    seed: SEED,
    furnished,
    onVisit: () => progress.step(),
    onMissed: () => missed++,
    goesOn: () => goesOn,
    // In the middle of a day there is nothing to continue from: its shifts are open and its bills unpaid.
    onDay: (bookmark) =>
      keepLogin(dataDir, { ...known, story: bookmark ? { ...telling, inventory, bookmark } : undefined }),
  })
  const progress = progressOf(`Selling for ${telling.days - 1} days`, visits)
  const told = await unlessBroken(tell()).finally(() => {
    progress.end()
    for (const signal of signals) process.off(signal, interrupt)
  })
  if (told.toldDays < telling.days) {
    process.exitCode = INTERRUPTED
    say(`Stopped after ${told.toldDays} of ${telling.days} days; run kasir demo again to continue.`)
    return howToSignIn(stage.address, known)
  }
  await keepLogin(dataDir, { ...known, story: undefined, isReady: true })
  await analyzeTables(stage.deps, ALL_TABLES)
  if (missed > 0) say(`Visitors who left because a shelf was empty: ${missed}`)
  say('The demo is ready.')
  howToSignIn(stage.address, known)
}

const unlessBroken = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    say(`The demo could not be finished. ${ANOTHER}`)
    throw error
  })

async function welcomeBack(
  { app, address, dataDir }: Stage,
  known: KnownLogin | undefined,
  { email, newKey }: DemoOptions,
) {
  say(`${email} already has a workspace; nothing was added.`)
  if (known === undefined) {
    return say('It was not made from this data directory, so its password is not known here.')
  }
  if (!known.isReady) {
    // A timer or a script that waits for a full demo must not take this for one.
    process.exitCode = 1
    say('It is not finished: filling it was interrupted, or is still running in another terminal.')
    say(ANOTHER)
  }
  if (!newKey) {
    howToSignIn(address, known)
    return say('--new-key makes another API key, --email another workspace.')
  }
  const owner = await signedIn(app, '/auth/login', { email, password: known.password })
  const { key } = await owner.post<{ key: string }>('/api-keys', { name: 'Demo' })
  const renewed = { ...known, apiKey: key }
  await keepLogin(dataDir, renewed)
  howToSignIn(address, renewed)
}

function howToSignIn(address: string, { email, password, apiKey }: KnownLogin) {
  say(`  E-mail    ${email}`)
  say(`  Password  ${password}`)
  if (apiKey === null) return say('  API key   none yet; --new-key makes one')
  say(`  API key   ${apiKey}`)
  say('Try it while the service runs (npm start):')
  // In quotes: some shells take a question mark for the name of a file.
  say(`  curl '${address}${API_PREFIX}/sales?limit=3' -H 'Authorization: Bearer ${apiKey}'`)
}
