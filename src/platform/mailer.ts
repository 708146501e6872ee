import type { Transporter } from 'nodemailer'
import { addMs } from '../core/time.ts'
import type { Deps } from './deps.ts'
import { type Letter, type Mail, messageOf, placeOfMail, writeMail } from './mail.ts'
import { askReachable } from './sharding/holders.ts'
import { tlsOf, transportTo } from './smtp.ts'
import { job } from './worker.ts'

const EVERY_MS = 5_000
/** Longer than one attempt can take: a mail that a process died over is taken up again after it. */
const LEASE_MS = 120_000
/**
 * Before the second attempt and each one after it; past the last the mail becomes a file, or is given up when no key
 * opens it.
 */
const WAITS_MS = [60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000, 6 * 3_600_000]

type Tools = Pick<Deps, 'config' | 'clock' | 'db' | 'log' | 'secrets'>
type Row = { accountId: string; id: string; body: string; attempts: number; createdAt: string }

/** Mails that are handed over at once, each of another workspace: a slow one holds up a place, not the others. */
const PLACES = 4
/** Workspaces of one look, those that wait longest first; the next look takes the others. */
const WORKSPACES = 500

/**
 * Attempts the mails that are due, once. Workspaces take turns mail by mail, so that the many mails of one do not
 * delay another's, and trouble with one does not block the rest. Any number of processes may do so at the same time.
 * After `stop` no further mail is started.
 */
export async function deliverMails(tools: Tools, transport: Transporter, stop?: AbortSignal) {
  const { db, clock, log } = tools
  const turns = (await listWaiting(db, clock.now(), WORKSPACES)).map((row) => row.accountId)
  const work = async () => {
    for (
      let accountId = turns.shift();
      accountId !== undefined && !stop?.aborted;
      accountId = turns.shift()
    ) {
      const hadOne = await deliverOne(tools, transport, accountId).catch((error: unknown) => {
        log.error(
          { err: error, account: accountId },
          'could not read the mails of a workspace; trying again later',
        )
        return false
      })
      if (hadOne) turns.push(accountId)
    }
  }
  await Promise.all(Array.from({ length: PLACES }, work))
}

const waiting = (now: string) => ({ table: 'mails', where: 'due_at <= $1', values: [now] }) as const

/** Workspaces with mails that are due, whose first waits longest first; those on a worker out of reach wait for it. */
const listWaiting = (db: Tools['db'], now: string, limit: number) =>
  askReachable(db, waiting(now), (of) =>
    db
      .selectFrom('mails')
      .select('accountId')
      .where('dueAt', '<=', now)
      .$if(of !== null, (rows) => rows.where('accountId', 'in', of ?? []))
      .groupBy('accountId')
      .orderBy((eb) => eb.fn.min('dueAt'))
      .limit(limit)
      .execute(),
  )

/** False when the workspace has no mail that is due. */
async function deliverOne(tools: Tools, transport: Transporter, accountId: string): Promise<boolean> {
  const mail = await claim(tools, accountId)
  if (!mail) return false
  await attempt(tools, transport, mail).catch((error: unknown) =>
    tools.log.error(
      { err: error, mail: mail.id },
      'could neither send a mail nor keep it; trying again later',
    ),
  )
  return true
}

/** Takes one due mail of a workspace for as long as the lease, past which it is due again. */
async function claim({ db, clock }: Tools, accountId: string): Promise<Row | undefined> {
  return db
    .updateTable('mails')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), dueAt: addMs(clock.now(), LEASE_MS) }))
    .where('accountId', '=', accountId)
    .where('id', '=', (eb) =>
      eb
        .selectFrom('mails')
        .select('id')
        .where('accountId', '=', accountId)
        .where('dueAt', '<=', clock.now())
        .orderBy('dueAt')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['accountId', 'id', 'body', 'attempts', 'createdAt'])
    .executeTakeFirst()
}

async function attempt(tools: Tools, transport: Transporter, row: Row) {
  const { clock, db, log } = tools
  const { accountId, id } = row
  const letter = await openLetter(tools, row)
  const trouble = letter ? await handOver(tools, transport, letter) : { code: 'NOT_OPENED' }
  if (trouble) {
    const waitMs = WAITS_MS[row.attempts - 1]
    const line = { mail: id, attempt: row.attempts, ...trouble }
    if (waitMs !== undefined) {
      log.warn(
        line,
        letter
          ? 'the mail server did not accept a mail; trying again later'
          : 'a mail was sealed with a different key from this SECRETS_KEY; trying again later',
      )
      const dueAt = addMs(clock.now(), waitMs)
      await db
        .updateTable('mails')
        .set({ dueAt })
        .where('accountId', '=', accountId)
        .where('id', '=', id)
        .execute()
      return
    }
    if (letter) {
      const file = await writeMail(tools, letter)
      log.error({ ...line, file }, 'giving up: every delivery attempt failed; the mail was written to a file')
    } else {
      log.error(
        line,
        'giving up: a mail could not be opened, because its key is lost; it was removed, so invite again',
      )
    }
  }
  await db.deleteFrom('mails').where('accountId', '=', accountId).where('id', '=', id).execute()
}

/** Null when the key of the service is not the one that sealed it. */
async function openLetter(
  { secrets }: Tools,
  { accountId, id, body, createdAt }: Row,
): Promise<Letter | null> {
  try {
    return { id, createdAt, mail: JSON.parse(await secrets.open(body, placeOfMail(accountId, id))) as Mail }
  } catch {
    return null
  }
}

type Trouble = { code: string | undefined; responseCode?: number | undefined }

async function handOver({ config }: Tools, transport: Transporter, letter: Letter): Promise<Trouble | null> {
  try {
    await transport.sendMail(messageOf(config, letter))
    return null
  } catch (error) {
    // What the server said may repeat the address; its codes do not.
    const { code, responseCode } = error as { code?: string; responseCode?: number }
    return { code, responseCode }
  }
}

/** Hands mails to the mail server; without one there is nothing to do. */
export const mailJob = job({
  name: 'mails',
  everyMs: EVERY_MS,
  hasWork: async ({ config, db, clock }) => config.smtpUrl !== null && (await hasDue(db, clock.now())),
  run: async (tools, stop) => {
    const { smtpUrl } = tools.config
    if (smtpUrl === null) return
    const transport = await transportTo(smtpUrl, tlsOf(tools.config))
    await deliverMails(tools, transport, stop)
  },
})

async function hasDue(db: Deps['db'], now: string): Promise<boolean> {
  const found = await askReachable(db, waiting(now), (of) =>
    db
      .selectFrom('mails')
      .select('id')
      .where('dueAt', '<=', now)
      .$if(of !== null, (rows) => rows.where('accountId', 'in', of ?? []))
      .limit(1)
      .execute(),
  )
  return found.length > 0
}
