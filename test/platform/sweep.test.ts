import { expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { expires } from '../../src/jobs.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { openDb } from '../../src/platform/db/open.ts'
import { readSweptAt } from '../../src/platform/jobs/store-sweep-clock.ts'
import { type Expires, sweep } from '../../src/platform/jobs/sweep.ts'
import { done } from '../support/expect.ts'
import { onOneServer } from '../support/one-server.ts'
import { insertCheckout } from '../support/rows.ts'
import { acme, deps, useService } from '../support/service.ts'

// In the future: the time of an Idempotency-Key is the later of this clock and the database's.
const clock = manualClock('2099-11-21T03:00:00.000Z')
useService({ clock })

/** Counted failures of an address, every one past all windows. */
const oldFailures = (count: number) =>
  deps().pool.query(
    `insert into login_failures (subject, id, failed_at)
      select 'ip 1', i::text, '2026-11-01T00:00:00Z' from generate_series(1, $1::int) i`,
    [count],
  )
const failures = async () =>
  (await deps().db.selectFrom('loginFailures').select('id').execute()).map((row) => row.id)

const keys = async () =>
  (await deps().db.selectFrom('idempotencyKeys').select('key').orderBy('key').execute()).map((row) => row.key)

test('replies are swept once they are past their window, sessions once they have ended', async () => {
  await acme().post('/outlets', { name: 'Old' }, { idempotencyKey: 'old' })
  clock.advance(23 * 3_600_000)
  await acme().post('/outlets', { name: 'New' }, { idempotencyKey: 'new' })
  const { accountId } = acme().workspace
  const memberId = newId('member')
  await deps()
    .db.insertInto('members')
    .values({ accountId, id: memberId, email: 'a@example.test', name: 'A', role: 'OWNER' })
    .execute()
  const session = (id: string, expiresAt: string) => ({
    accountId,
    id,
    memberId,
    tokenHash: id,
    createdAt: clock.now(),
    lastSeenAt: clock.now(),
    expiresAt,
  })
  await deps()
    .db.insertInto('sessions')
    .values([
      session('ses_ended', '2099-11-22T01:00:00.000Z'),
      session('ses_live', '2099-12-22T01:00:00.000Z'),
    ])
    .execute()
  await sweep(deps(), expires)
  expect(await keys()).toEqual(['new', 'old'])
  clock.advance(3_600_000 + 1)
  await sweep(deps(), expires)
  expect(await keys()).toEqual(['new'])
  const sessions = await deps().db.selectFrom('sessions').select('id').execute()
  expect(sessions.map((row) => row.id)).toEqual(['ses_live'])
})

test('mails that no mail server was there for are swept after two weeks', async () => {
  const { accountId } = acme().workspace
  const mail = (id: string, createdAt: string) => ({ accountId, id, body: 'x', dueAt: createdAt, createdAt })
  const daysAgo = (days: number) => new Date(clock.ms() - days * 86_400_000).toISOString()
  await deps()
    .db.insertInto('mails')
    .values([mail('mal_old', daysAgo(15)), mail('mal_new', daysAgo(13))])
    .execute()
  await sweep(deps(), expires)
  const left = await deps().db.selectFrom('mails').select('id').execute()
  expect(left.map((row) => row.id)).toEqual(['mal_new'])
})

test('a backlog of many batches is removed by one sweep', async () => {
  await oldFailures(12_345)
  await sweep(deps(), expires)
  expect(await failures()).toEqual([])
})

test('a row that somebody holds is left for the next sweep, and nobody waits for it', async () => {
  await oldFailures(3)
  const client = await deps().pool.connect()
  try {
    await client.query('begin')
    await client.query(`select 1 from login_failures where id = '2' for update`)
    await sweep(deps(), expires)
    expect(await failures()).toEqual(['2'])
  } finally {
    await client.query('rollback')
    client.release()
  }
  await sweep(deps(), expires)
  expect(await failures()).toEqual([])
})

test('a table that cannot be swept does not block those behind it', async () => {
  await oldFailures(3)
  await deps().pool.query('alter table idempotency_keys rename to idempotency_keys_gone')
  try {
    await expect(sweep(deps(), expires)).rejects.toThrow('idempotency_keys')
    expect(await failures()).toEqual([])
  } finally {
    await deps().pool.query('alter table idempotency_keys_gone rename to idempotency_keys')
  }
})

test('what is still counted stays: a failed sign-in of 14 minutes ago, an unknown code of 9', async () => {
  const minutesAgo = (minutes: number) => new Date(clock.ms() - minutes * 60_000).toISOString()
  const { accountId } = acme().workspace
  const failure = (id: string, minutes: number) => ({ subject: 'ip 2', id, failedAt: minutesAgo(minutes) })
  const miss = (id: string, minutes: number) => ({
    accountId,
    actorId: 'usr_1',
    id,
    missedAt: minutesAgo(minutes),
  })
  await deps()
    .db.insertInto('loginFailures')
    .values([failure('counted', 14), failure('over', 61)])
    .execute()
  await deps()
    .db.insertInto('giftCardMisses')
    .values([miss('counted', 9), miss('over', 61)])
    .execute()
  await sweep(deps(), expires)
  const misses = await deps().db.selectFrom('giftCardMisses').select('id').execute()
  expect([await failures(), misses.map(({ id }) => id)]).toEqual([['counted'], ['counted']])
})

test('a webhook subscription is removed ninety days after its deletion, and no other one ever', async () => {
  const subscribe = async () =>
    done(await acme().post('/webhook-subscriptions', { url: 'https://hooks.example/kasir', events: [] }))
      .subscription.id
  const [kept, deleted] = [await subscribe(), await subscribe()]
  done(await acme().post('/customers', { name: 'Ani' }))
  const sent = await deps().db.selectFrom('webhookDeliveries').select('subscriptionId').execute()
  expect(sent.map(({ subscriptionId }) => subscriptionId)).toContain(deleted)
  done(await acme().delete(`/webhook-subscriptions/${deleted}`))
  const left = async () =>
    (await deps().db.selectFrom('webhookSubscriptions').select('id').orderBy('id').execute()).map(
      ({ id }) => id,
    )
  clock.advance(90 * 86_400_000)
  await sweep(deps(), expires)
  expect(await left()).toEqual([kept, deleted].toSorted())
  clock.advance(1)
  await sweep(deps(), expires)
  expect(await left()).toEqual([kept])
})

test('a checkout session is removed ninety days after its end', async () => {
  await insertCheckout(deps(), acme(), 'cks_ended', 'starter')
  clock.advance(90 * 86_400_000)
  await insertCheckout(deps(), acme(), 'cks_later', 'starter')
  const left = async () =>
    (await deps().db.selectFrom('billingCheckouts').select('sessionId').execute()).map((row) => row.sessionId)
  await sweep(deps(), expires)
  expect((await left()).toSorted()).toEqual(['cks_ended', 'cks_later'])
  clock.advance(1)
  await sweep(deps(), expires)
  expect(await left()).toEqual(['cks_later'])
})

onOneServer('ownFunctions')(
  'a sweep that could not ask every worker is not remembered as one that left nothing behind',
  async () => {
    const { pool, db: plain } = deps()
    const { accountId } = acme().workspace
    const expired: Expires = {
      table: 'events',
      key: ['account_id', 'id'],
      column: 'id',
      before: () => '~',
      byWorkspace: true,
      only: 'is_reachable()',
      resumeAt: () => '',
    }
    done(await acme().post('/customers', { name: 'Ani' }))
    // The answers of a cluster: a statement for all workers fails, then each shard answers for itself.
    await pool.query(`
    create function is_reachable() returns boolean language plpgsql as $$ begin
      if current_query() like 'select distinct%' then raise 'worker lost' using errcode = '08006'; end if;
      return true;
    end $$;
    create table shard_answers (success boolean, result text);
    insert into shard_answers values (true, '["${accountId}"]'), (false, 'worker lost');
    create function run_command_on_shards(regclass, text) returns setof shard_answers language sql
      as 'select * from shard_answers'`)
    const { db, close } = openDb({ url: pool.options.connectionString ?? '', poolSize: 2, isSharded: true })
    const left = async () =>
      (await plain.selectFrom('events').select('id').where('accountId', '=', accountId).execute()).length
    try {
      const before = await readSweptAt(plain)
      clock.advance(3_600_000)
      await sweep({ ...deps(), db }, [expired])
      expect([await left(), await readSweptAt(plain)]).toEqual([0, before])
      done(await acme().post('/customers', { name: 'Budi' }))
      await pool.query('update shard_answers set success = true, result = $1 where not success', ['[]'])
      await sweep({ ...deps(), db }, [expired])
      expect([await left(), await readSweptAt(plain)]).toEqual([0, clock.now()])
    } finally {
      await close()
      await pool.query(
        'drop function run_command_on_shards; drop table shard_answers; drop function is_reachable',
      )
    }
  },
)
