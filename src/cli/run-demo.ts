import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createApp } from '../app.ts'
import { addDays, addMs, dayOf, startOfDay } from '../core/time.ts'
import { signedIn } from '../demo/client.ts'
import { planDays } from '../demo/days.ts'
import { type FurnishedDemo, furnish, inventoryOf, openWorkspace, reopen } from '../demo/furnish.ts'
import { findLogin, type KnownLogin, type OpenStory, saveLogin } from '../demo/logins.ts'
import { OUTLETS } from '../demo/outlets.ts'
import { makeDeps, prepareDatabase, schemaLine } from '../main.ts'
import { manualClock, systemClock } from '../platform/clock.ts'
import { type Config, SETTINGS } from '../platform/config/config.ts'
import { inTx } from '../platform/db/open.ts'
import { ALL_TABLES, analyzeTables } from '../platform/db/statistics.ts'
import type { Deps } from '../platform/deps.ts'
import { API_PREFIX } from '../platform/http/route.ts'
import { makeLog } from '../platform/log/log.ts'
import { randomToken } from '../platform/secrets/secrets.ts'
import { callableAddress } from './address.ts'
import { say, UsageError } from './command.ts'
import { withDatabase } from './database.ts'
import { asOperator } from './operator.ts'
import { progressOf } from './progress.ts'
import { ENDING_SIGNALS } from './signals.ts'

export type DemoOptions = {
  email: string
  days: number
  share: number
  newKey: boolean
  /** Also where it is the one workspace that SIGNUP=first allows. */
  takeSignup: boolean
}

const SEED = 17
/** How long the demo has its plan, from the day on which it is made. */
const PLAN_DAYS = 365
/** The demo never empties a workspace: it may contain a user's experiments. */
const ANOTHER = '--email with another address creates a complete one.'
const ZONE = OUTLETS.cafe.timezone
/** The exit code that shells report for a command ended by Ctrl-C. */
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

/** Fills a workspace once. A second call continues an interrupted run, or only says how to sign in. */
export async function runDemo(config: Config, options: DemoOptions) {
  // The routes are called in this process with a simulated clock; rate limits are for outside callers.
  const quiet: Config = {
    ...config,
    rateLimitPerMinute: 0,
    logRequests: 'none',
    databasePoolSize: 4,
    // The operator may always open a workspace, and mails to invented people have no readers.
    signup: 'open',
    smtpUrl: null,
  }
  await withDatabase(config, say, async ({ url, inUse }) => {
    const applied = await prepareDatabase(config, url, say)
    if (applied.length > 0) say(schemaLine(applied))
    const now = systemClock.now()
    const clock = manualClock(now)
    const deps = await makeDeps({ config: quiet, url: withoutWaiting(url), clock, log: makeLog('fatal') })
    const app = await createApp(deps)
    try {
      const address = await callableAddress(config, inUse)
      const stage: Stage = { app, deps, config, clock, address, dataDir: path.resolve(config.dataDir) }
      const exists = await deps.pool.query('select 1 from member_emails where email = $1', [options.email])
      if (exists.rowCount === 0) {
        if (config.signup === 'first' && !options.takeSignup) await requireWorkspace(deps)
        return await begin(stage, options, now)
      }
      const known = await findLogin(stage.dataDir, options.email)
      if (known?.story && known.apiKey !== null) return await goOn(stage, known, known.story)
      await continueDemo(stage, known, options)
    } finally {
      await app.close()
      await deps.close()
    }
  })
}

/** After a demo in an empty database, the owner of the installation could no longer sign up. */
async function requireWorkspace({ pool }: Deps) {
  const { rowCount } = await pool.query('select 1 from accounts limit 1')
  if (rowCount !== 0) return
  throw new UsageError(
    'With SIGNUP=first the demo would be the only workspace, and your own sign-up would be refused: sign up first, or add --take-signup',
  )
}

/** Turns synchronous commits off: waiting for the disk is slow, and losing invented sales is harmless. */
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
  await grantBusiness(stage, email, addDays(dayOf(now, ZONE), PLAN_DAYS))
  // Saved now, so that the next run recognizes an interrupted one and its owner can sign in meanwhile.
  await saveLogin(dataDir, { ...login, apiKey: null, isReady: false })
  const furnished = await nullIfBroken(furnish(app, { owner, login, today: firstDay }))
  const known: KnownLogin = { ...login, apiKey: furnished.apiKey, isReady: false }
  await saveLogin(dataDir, known)
  await printStory(stage, known, furnished, { firstDay, days: days + 1, until: now, share })
}

async function goOn(stage: Stage, known: KnownLogin, { inventory, ...story }: OpenStory) {
  const { email, password, apiKey } = known
  say(`Continuing the demo of ${email}`)
  stage.clock.set(morningOf(addDays(story.firstDay, story.bookmark.day)))
  const login = { email, password }
  const furnished = await reopen(stage.app, { ...inventory, login, apiKey: apiKey ?? '' })
  await printStory(stage, known, furnished, story)
}

/** The free plan has no modules, so their pages could not be tried. */
async function grantBusiness({ deps, clock }: Stage, email: string, lastDay: string) {
  const { grantPlan } = await import('../areas/workspace/billing/index.ts')
  const { scope } = await asOperator(deps, email, clock.now())
  const period = { tier: 'business', currentPeriodEnd: startOfDay(lastDay, ZONE) } as const
  await inTx(deps.db, (tx) => grantPlan(tx, scope, period))
}

/** The module that works without a partner; the owner switches the others on once their partners are configured. */
const switchMarketingOn = ({ owner }: FurnishedDemo) =>
  owner
    .post('/modules', { module: 'marketing', enabled: true })
    .catch(() => say('The marketing module could not be switched on; try again in the settings.'))

type StoryOptions = Omit<OpenStory, 'inventory' | 'bookmark'> & Partial<Pick<OpenStory, 'bookmark'>>

async function printStory(stage: Stage, known: KnownLogin, furnished: FurnishedDemo, telling: StoryOptions) {
  const { clock, dataDir } = stage
  const inventory = inventoryOf(furnished)
  let goesOn = true
  let missed = 0
  const interrupt = () => {
    goesOn = false
  }
  for (const signal of ENDING_SIGNALS) process.once(signal, interrupt)
  const { visits, tell } = planDays({
    ...telling,
    clock,
    seed: SEED,
    furnished,
    onVisit: () => progress.step(),
    onMissed: () => missed++,
    goesOn: () => goesOn,
    // A day cannot be continued midway: its shifts are open and its bills unpaid.
    onDay: (bookmark) =>
      saveLogin(dataDir, { ...known, story: bookmark ? { ...telling, inventory, bookmark } : undefined }),
  })
  const progress = progressOf(`Selling for ${telling.days - 1} days`, visits)
  const told = await nullIfBroken(tell()).finally(() => {
    progress.end()
    for (const signal of ENDING_SIGNALS) process.off(signal, interrupt)
  })
  if (told.toldDays < telling.days) {
    process.exitCode = INTERRUPTED
    say(`Stopped after ${told.toldDays} of ${telling.days} days; run kasir demo again to continue.`)
    return howToSignIn(stage, known)
  }
  await switchMarketingOn(furnished)
  await saveLogin(dataDir, { ...known, story: undefined, isReady: true })
  await analyzeTables(stage.deps, ALL_TABLES)
  if (missed > 0) say(`Visitors who left because a shelf was empty: ${missed}`)
  say('The demo is ready.')
  howToSignIn(stage, known)
}

const nullIfBroken = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    say(`The demo could not be finished. ${ANOTHER}`)
    throw error
  })

async function continueDemo(stage: Stage, known: KnownLogin | undefined, { email, newKey }: DemoOptions) {
  const { app, dataDir } = stage
  say(`${email} already has a workspace; nothing was added.`)
  if (known === undefined) {
    return say('It was not created from this data directory, so its password is unknown here.')
  }
  if (!known.isReady) {
    // A timer or a script that waits for a complete demo must not mistake this for one.
    process.exitCode = 1
    say('It is not finished: filling it was interrupted, or is still running in another terminal.')
    say(ANOTHER)
  }
  if (!newKey) {
    howToSignIn(stage, known)
    return say('--new-key creates another API key, --email another workspace.')
  }
  const owner = await signedIn(app, '/auth/login', { email, password: known.password })
  const { key } = await owner.post<{ key: string }>('/api-keys', { name: 'Demo' })
  const renewed = { ...known, apiKey: key }
  await saveLogin(dataDir, renewed)
  howToSignIn(stage, renewed)
}

function howToSignIn(
  { address, config }: Pick<Stage, 'address' | 'config'>,
  { email, password, apiKey }: KnownLogin,
) {
  say(`  E-mail    ${email}`)
  say(`  Password  ${password}`)
  if (apiKey === null) return say('  API key   none yet; --new-key creates one')
  say(`  API key   ${apiKey}`)
  say(`Try it while the service runs (${startCommand(config, address)}):`)
  // In quotes: some shells treat a question mark as a file pattern.
  say(`  curl '${address}${API_PREFIX}/sales?limit=3' -H 'Authorization: Bearer ${apiKey}'`)
}

/** Returns the command that starts this demo's service. It omits DATABASE_URL, which may contain a password. */
function startCommand({ dataDir, port, host, publicUrl, databaseUrl }: Config, address: string): string {
  const settings = [
    ['HOST', host, SETTINGS.host.fallback],
    ['PORT', publicUrl === null ? new URL(address).port : String(port), SETTINGS.port.fallback],
    ['DATA_DIR', path.resolve(dataDir), path.resolve(SETTINGS.dataDir.fallback)],
  ] as const
  const changed = settings.flatMap(([name, value, usual]) =>
    value === usual ? [] : [`${name}=${quoteForShell(value)}`],
  )
  const command = [...changed, 'npm start'].join(' ')
  return databaseUrl === null ? command : `${command}, with the same DATABASE_URL`
}

const quoteForShell = (word: string) =>
  /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
