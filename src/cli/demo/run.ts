import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createApp } from '../../app.ts'
import { addDays, addMs, dayOf, startOfDay } from '../../core/time.ts'
import { makeDeps, prepareDatabase } from '../../main.ts'
import { manualClock, systemClock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import { API_PREFIX } from '../../platform/http/route.ts'
import { makeLog } from '../../platform/log.ts'
import { randomToken } from '../../platform/secrets.ts'
import { say } from '../command.ts'
import { withDatabase } from '../database.ts'
import { progressOf } from '../progress.ts'
import { OUTLETS } from './catalogue.ts'
import { signedIn } from './client.ts'
import { planDays } from './days.ts'
import { furnish, openWorkspace } from './furnish.ts'
import { findLogin, type KnownLogin, keepLogin } from './logins.ts'

export type DemoOptions = { email: string; days: number; share: number; newKey: boolean }

const SEED = 17
/** A workspace is never emptied from here: it may hold what somebody tried out in it. */
const ANOTHER = '--email with another address makes a whole one.'
const ZONE = OUTLETS.cafe.timezone

/** Fills a workspace once; called again it only says how to sign in. */
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
  await withDatabase(config, say, async ({ url }) => {
    for (const name of await prepareDatabase(config, url)) say(`Applied ${name}`)
    const now = systemClock.now()
    const firstDay = addDays(dayOf(now, ZONE), -options.days)
    const clock = manualClock(now)
    const deps = await makeDeps({ config: quiet, url, clock, log: makeLog('fatal') })
    try {
      const app = await createApp(deps)
      const exists = await deps.pool.query('select 1 from member_emails where email = $1', [options.email])
      if (exists.rowCount !== 0) return await welcomeBack(app, config, options)
      clock.set(addMs(startOfDay(firstDay, ZONE), 5 * 3_600_000))
      await tellStory(app, { config, clock, firstDay, until: now, ...options }).catch((error: unknown) => {
        say(`The demo could not be finished. ${ANOTHER}`)
        throw error
      })
      await app.close()
    } finally {
      await deps.close()
    }
  })
}

type Telling = DemoOptions & {
  config: Config
  clock: ReturnType<typeof manualClock>
  firstDay: string
  until: string
}

async function tellStory(
  app: FastifyInstance,
  { config, clock, firstDay, until, email, days, share }: Telling,
) {
  const login = { email, password: randomToken().slice(0, 16) }
  const dataDir = path.resolve(config.dataDir)
  say('Opening a workspace with a café, a shop and a pharmacy')
  const owner = await openWorkspace(app, login)
  // Kept at once: a run that breaks off must be known by the next one, and can be looked at until then.
  await keepLogin(dataDir, { ...login, apiKey: null, isReady: false })
  const furnished = await furnish(app, { owner, login, today: firstDay })
  const known = { ...login, apiKey: furnished.apiKey, isReady: false }
  await keepLogin(dataDir, known)
  let goesOn = true
  let missed = 0
  const interrupt = () => {
    goesOn = false
  }
  process.once('SIGINT', interrupt)
  const story = {
    clock,
    seed: SEED,
    furnished,
    firstDay,
    days: days + 1,
    until,
    share,
    onVisit: () => progress.step(),
    onMissed: () => missed++,
    goesOn: () => goesOn,
  }
  const { visits, tell } = planDays(story)
  const progress = progressOf(`Selling for ${days} days`, visits)
  try {
    await tell()
  } finally {
    progress.end()
    process.off('SIGINT', interrupt)
  }
  // Whoever stopped it early has been told so, and has what was wanted.
  await keepLogin(dataDir, { ...known, isReady: true })
  if (missed > 0) say(`Visitors who left because a shelf was empty: ${missed}`)
  say(goesOn ? 'The demo is ready.' : 'Stopped early; what was sold so far stays.')
  howToSignIn(config, known)
}

async function welcomeBack(app: FastifyInstance, config: Config, { email, newKey }: DemoOptions) {
  const dataDir = path.resolve(config.dataDir)
  const known = await findLogin(dataDir, email)
  say(`There is a workspace of ${email} already; nothing was added.`)
  if (known === undefined) {
    return say('It was not made from this data directory, so its password is not known here.')
  }
  if (!known.isReady) {
    // A timer or a script that waits for a full demo must not take this for one.
    process.exitCode = 1
    say('It is not finished: filling it broke off half-way, or still goes on in another terminal.')
    say(ANOTHER)
  }
  if (!newKey) {
    howToSignIn(config, known)
    return say('--new-key makes another API key, --email another workspace.')
  }
  const owner = await signedIn(app, '/auth/login', { email, password: known.password })
  const { key } = await owner.post<{ key: string }>('/api-keys', { name: 'Demo' })
  const renewed = { ...known, apiKey: key }
  await keepLogin(dataDir, renewed)
  howToSignIn(config, renewed)
}

function howToSignIn({ host, port, publicUrl }: Config, { email, password, apiKey }: KnownLogin) {
  const base = publicUrl?.replace(/\/$/, '') ?? `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`
  say(`  E-mail    ${email}`)
  say(`  Password  ${password}`)
  if (apiKey === null) return say('  API key   none yet; --new-key makes one')
  say(`  API key   ${apiKey}`)
  say('Try it while the service runs (npm start):')
  say(`  curl ${base}${API_PREFIX}/sales?limit=3 -H 'Authorization: Bearer ${apiKey}'`)
}
