import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { addMs } from '../../src/core/time.ts'
import { manualClock, systemClock } from '../../src/platform/clock.ts'
import { startWorker } from '../../src/platform/jobs/worker.ts'
import { deliverMails, mailFilesJob, mailJob } from '../../src/platform/mail/mailer.ts'
import { acme, deps, useService } from '../support/service.ts'

const DAY = 86_400_000
/** Behind the database server's by more than these tests let pass. */
const clock = manualClock(addMs(systemClock.now(), -60 * DAY))
useService({ clock })

let count = 0
const invite = async () => {
  const email = `guest${(count += 1)}@example.com`
  return { email, answer: await acme().post('/members', { email, name: 'Siti', role: 'CASHIER' }) }
}
const folder = () => path.join(deps().config.dataDir, 'mail')
const files = async () => (await readdir(folder()).catch(() => [])).sort()
const waiting = () => deps().db.selectFrom('mails').selectAll().execute()
/** The folder of mails by the job that looks after it, as a process runs it. */
const tidy = () => mailFilesJob.run(deps(), new AbortController().signal)

beforeEach(async () => {
  await rm(folder(), { recursive: true, force: true })
  await deps().db.deleteFrom('mails').execute()
})

test('a change that fails at its commit leaves no mail', async () => {
  const { pool } = deps()
  await pool.query(`create function refuse_commit() returns trigger language plpgsql as
    $$ begin raise 'refused at the commit'; end $$`)
  await pool.query(`create constraint trigger refuse_commit after insert on member_emails
    deferrable initially deferred for each row execute function refuse_commit()`)
  try {
    expect((await invite()).answer.status).toBe(503)
  } finally {
    await pool.query('drop function refuse_commit() cascade')
  }
  await deliverMails(deps(), null)
  expect([await files(), await waiting()]).toEqual([[], []])
})

test('a mail is in the database until it is a file that only the user of the service can read', async () => {
  const { email, answer } = await invite()
  expect(answer.status).toBe(201)
  expect(await files()).toEqual([])
  expect(await waiting()).toHaveLength(1)
  const worker = startWorker(deps(), [{ ...mailJob, everyMs: 20 }])
  await expect.poll(waiting, { timeout: 10_000 }).toEqual([])
  await worker.stop()
  const [file = '', ...more] = await files()
  expect(more).toEqual([])
  expect(await readFile(path.join(folder(), file), 'utf8')).toContain(`To: ${email}\r\n`)
  expect((await stat(path.join(folder(), file))).mode & 0o777).toBe(0o600)
  expect((await stat(folder())).mode & 0o777).toBe(0o700)
})

test('a mail whose process died after it wrote the file is in one file', async () => {
  await invite()
  const rows = await waiting()
  await deliverMails(deps(), null)
  const before = await files()
  await deps().db.insertInto('mails').values(rows).execute()
  await deliverMails(deps(), null)
  expect(await files()).toEqual(before)
  expect([before.length, await waiting()]).toEqual([1, []])
})

test('a mail that cannot be written to a file stays in the database until it can', async () => {
  await writeFile(folder(), 'in the way')
  await invite()
  await deliverMails(deps(), null)
  expect(await waiting()).toHaveLength(1)
  await rm(folder())
  clock.advance(120_000)
  await deliverMails(deps(), null)
  expect([(await files()).length, await waiting()]).toEqual([1, []])
})

test('files of mails are removed after 14 days, with what a crash left of them, and no other file', async () => {
  await invite()
  await deliverMails(deps(), null)
  await mkdir(folder(), { recursive: true })
  const stamp = clock.now().replaceAll(':', '-')
  // One that an earlier version wrote, and one that was cut off.
  const left = [`${stamp}-0c6f0d3e-4f0c-4f7e-9d0c-4f0c4f7e9d0c.eml`, `${stamp}-mal_1.eml.part`]
  for (const name of [...left, 'notes.txt']) await writeFile(path.join(folder(), name), 'x')
  clock.advance(14 * DAY)
  await tidy()
  expect(await files()).toHaveLength(4)
  clock.advance(1)
  await tidy()
  expect(await files()).toEqual(['notes.txt'])
})

test('a clock that is 400 days ahead removes no file of a mail', async () => {
  await invite()
  await deliverMails(deps(), null)
  const right = clock.now()
  clock.set(new Date(clock.ms() + 400 * DAY).toISOString())
  await expect(tidy()).rejects.toThrow('nothing was removed by age')
  clock.set(right)
  expect(await files()).toHaveLength(1)
})

test('a mail that waited for a month is not sent, because its link has ended', async () => {
  await invite()
  clock.advance(14 * DAY + 1)
  await deliverMails(deps(), null)
  expect([await files(), (await waiting()).length]).toEqual([[], 1])
})
