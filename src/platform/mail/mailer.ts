import type { Transporter } from 'nodemailer'
import { addMs } from '../../core/time.ts'
import type { Deps } from '../deps.ts'
import { requireTrustedClock } from '../jobs/sweep-clock.ts'
import { job } from '../jobs/worker.ts'
import { NotOpenedError } from '../secrets/secrets.ts'
import { askReachable } from '../sharding/holders.ts'
import { listOldMails, mailsKeptSince, removeOldMails } from './files.ts'
import { type Letter, type Mail, mailFolder, mailLocation, messageOf, writeMail } from './mail.ts'
import { tlsOf, transportTo } from './smtp.ts'

const EVERY_MS = 5_000
const FILES_EVERY_MS = 3_600_000
/** Longer than one attempt can take: after it, another process retries a mail whose process died. */
const LEASE_MS = 120_000
/**
 * Delays before the second and each later attempt. After the last one the mail becomes a file, or is dropped if no
 * key opens it.
 */
const WAITS_MS = [60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000, 6 * 3_600_000]

type Tools = Pick<Deps, 'config' | 'clock' | 'db' | 'log' | 'secrets'>
type QueuedMail = { accountId: string; id: string; body: string; attempts: number; createdAt: string }

/** Mails sent concurrently, each of another workspace: a slow one occupies one slot and does not block the others. */
const PLACES = 4
/** Workspaces per look, longest waiting first; the next look takes the others. */
const WORKSPACES = 500

/** Null without a mail server: mails become files. */
type MailServer = Transporter | null

/**
 * Attempts the due mails once. Workspaces take turns mail by mail, so many mails of one do not delay another's, and a
 * failure in one does not block the rest. Any number of processes may call it concurrently. After `stop` no further
 * mail is started.
 */
export async function deliverMails(tools: Tools, server: MailServer, stop?: AbortSignal) {
  const { db, clock, log } = tools
  const turns = (await listWaiting(db, clock.now(), WORKSPACES)).map((row) => row.accountId)
  const work = async () => {
    for (
      let accountId = turns.shift();
      accountId !== undefined && !stop?.aborted;
      accountId = turns.shift()
    ) {
      const hadOne = await deliverOne(tools, server, accountId).catch((error: unknown) => {
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

/** The links in older mails have expired: the sweep removes them. */
const waiting = (now: string) =>
  ({
    table: 'mails',
    where: 'due_at <= $1 and created_at >= $2',
    values: [now, mailsKeptSince(now)],
  }) as const

/** Workspaces with due mails, longest waiting first; workspaces on an unreachable worker wait for it. */
const listWaiting = (db: Tools['db'], now: string, limit: number) =>
  askReachable(db, waiting(now), (of) =>
    db
      .selectFrom('mails')
      .select('accountId')
      .where('dueAt', '<=', now)
      .where('createdAt', '>=', mailsKeptSince(now))
      .$if(of !== null, (rows) => rows.where('accountId', 'in', of ?? []))
      .groupBy('accountId')
      .orderBy((eb) => eb.fn.min('dueAt'))
      .limit(limit)
      .execute(),
  )

/** False if the workspace has no due mail. */
async function deliverOne(tools: Tools, server: MailServer, accountId: string): Promise<boolean> {
  const mail = await claim(tools, accountId)
  if (!mail) return false
  await attempt(tools, server, mail).catch((error: unknown) =>
    tools.log.error(
      { err: error, mail: mail.id },
      'could neither send a mail nor keep it; trying again later',
    ),
  )
  return true
}

/** Takes one due mail of a workspace with a lease; after the lease the mail is due again. */
async function claim({ db, clock }: Tools, accountId: string): Promise<QueuedMail | undefined> {
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
        .where('createdAt', '>=', mailsKeptSince(clock.now()))
        .orderBy('dueAt')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['accountId', 'id', 'body', 'attempts', 'createdAt'])
    .executeTakeFirst()
}

async function attempt(tools: Tools, server: MailServer, row: QueuedMail) {
  const { clock, config, db, log } = tools
  const { accountId, id } = row
  const letter = await openLetter(tools, row)
  const trouble = letter ? await handOver(tools, server, letter) : { code: 'NOT_OPENED' }
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
      const file = await writeMail(config, letter)
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

/** Null if no key opens the mail. Any other error leaves it for the next attempt. */
async function openLetter(
  { secrets }: Tools,
  { accountId, id, body, createdAt }: QueuedMail,
): Promise<Letter | null> {
  try {
    return { id, createdAt, mail: JSON.parse(await secrets.open(body, mailLocation(accountId, id))) as Mail }
  } catch (error) {
    if (!(error instanceof NotOpenedError)) throw error
    return null
  }
}

type Trouble = { code: string | undefined; responseCode?: number | undefined }

async function handOver({ config, log }: Tools, server: MailServer, letter: Letter): Promise<Trouble | null> {
  if (server === null) {
    const file = await writeMail(config, letter)
    log.info(
      { file, subject: letter.mail.subject },
      'no mail server is configured; the mail was written to a file',
    )
    return null
  }
  try {
    await server.sendMail(messageOf(config, letter))
    return null
  } catch (error) {
    // The server's reply text may repeat the address; its codes do not.
    const { code, responseCode } = error as { code?: string; responseCode?: number }
    return { code, responseCode }
  }
}

/** Sends mails to the mail server, or writes them to files if there is none. */
export const mailJob = job({
  name: 'mails',
  everyMs: EVERY_MS,
  hasWork: ({ db, clock }) => hasDue(db, clock.now()),
  run: async (tools, stop) => {
    const { smtpUrl } = tools.config
    const server = smtpUrl === null ? null : await transportTo(smtpUrl, tlsOf(tools.config))
    await deliverMails(tools, server, stop)
  },
})

/** Removes mail files, which contain one-time links and addresses. Every host cleans its own folder. */
export const mailFilesJob = job({
  name: 'mails.files',
  everyMs: FILES_EVERY_MS,
  hasWork: async ({ config, clock }) => (await listOldMails(mailFolder(config), clock.now())).length > 0,
  run: async (tools) => {
    const clock = await requireTrustedClock(tools)
    await removeOldMails(mailFolder(tools.config), clock.now())
  },
})

async function hasDue(db: Deps['db'], now: string): Promise<boolean> {
  const found = await askReachable(db, waiting(now), (of) =>
    db
      .selectFrom('mails')
      .select('id')
      .where('dueAt', '<=', now)
      .where('createdAt', '>=', mailsKeptSince(now))
      .$if(of !== null, (rows) => rows.where('accountId', 'in', of ?? []))
      .limit(1)
      .execute(),
  )
  return found.length > 0
}
