import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createTransport } from 'nodemailer'
import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, test } from 'vitest'
import { exportCatalogue } from '../../src/areas/catalogue/products/csv/export.ts'
import { importCatalogue } from '../../src/areas/catalogue/products/csv/import.ts'
import { remindCustomers } from '../../src/areas/marketing/abandoned-carts/worker.ts'
import { expires } from '../../src/jobs.ts'
import { SHARED_WRITES, TABLE_OWNER } from '../../src/platform/db/tables.ts'
import { authOf, type Route } from '../../src/platform/http/route.ts'
import { sweep } from '../../src/platform/jobs/sweep.ts'
import { deliverMails } from '../../src/platform/mail/mailer.ts'
import type { Answer, Api } from '../support/api.ts'
import { browser, cookieOf, memberOf, scopeOf } from '../support/clients.ts'
import { notify } from '../support/notices.ts'
import { acme, as, deps, useService } from '../support/service.ts'
import { type SentStatement, watching } from '../support/statements.ts'
import { routes } from './local.ts'

import { hasProbe, probeFor } from './probes/index.ts'
import { nameOf, send } from './request.ts'
import { type Act, unguarded, updatedColumns, writes } from './statements.ts'

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))
const flat = (sql: string) => sql.replaceAll(/\s+/g, ' ').trim()
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The folder that may write each table, by its name in SQL. */
const OWNER = new Map(Object.entries(TABLE_OWNER).map(([table, owner]) => [snake(table), owner]))

const SHARED = SHARED_WRITES.map((shared) => ({ ...shared, table: snake(shared.table) }))
type Shared = (typeof SHARED)[number]

type Write = { file: string; act: Act; table: string }

async function sources(): Promise<{ file: string; text: string }[]> {
  const files = (await readdir(SRC, { recursive: true })).filter((file) => file.endsWith('.ts'))
  return Promise.all(files.map(async (file) => ({ file, text: await readFile(join(SRC, file), 'utf8') })))
}

const BUILT = {
  insertInto: 'insert',
  updateTable: 'update',
  deleteFrom: 'delete',
  mergeInto: 'merge',
} as const
/** The builder's calls again, begun by the workspace (src/platform/db/own-rows.ts). */
const OWN = { insertOwn: 'insert', updateOwn: 'update', deleteOwn: 'delete' } as const
/** Calls of own-rows, each with the table it names: `updateOwn(tx, scope, 'outlets')`. */
const own = (text: string, call: string) => [
  ...text.matchAll(new RegExp(`\\b(${call})\\(\\s*\\w+,\\s*(?:[\\w.]+|\\{[^}]*\\}),\\s*'(\\w+)`, 'g')),
]

/** Writes of a source file: the builder's calls, and the words of SQL inside its texts. */
function writesOf({ file, text }: { file: string; text: string }): Write[] {
  const built = [...text.matchAll(/\.(insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)/g)].map(
    ([, call, name]) => ({ act: BUILT[call as keyof typeof BUILT], table: snake(name ?? '') }),
  )
  const owned = own(text, Object.keys(OWN).join('|')).map(([, call, name]) => ({
    act: OWN[call as keyof typeof OWN],
    table: snake(name ?? ''),
  }))
  const literals = [...text.matchAll(/`[^`]*`|'[^'\n]*'/g)].map(([literal]) => literal.slice(1, -1))
  return [...built, ...owned, ...literals.flatMap(writes)]
    .filter(({ table }) => OWNER.has(table))
    .map((write) => ({ file, ...write }))
}

const covers = ({ table, does, writer }: Shared, write: Write) =>
  table === write.table &&
  does === write.act &&
  (write.file === writer || write.file.startsWith(`${writer}/`))

test('a table is written by its owner, and elsewhere as src/platform/db/tables.ts declares', async () => {
  const known = (await sources())
    .filter(({ file }) => file.startsWith('areas/') || file.startsWith('platform/'))
    .flatMap(writesOf)
  expect(known.length).toBeGreaterThan(20)
  const strange = known
    .filter(({ file, table }) => !file.startsWith(`${OWNER.get(table)}/`))
    .filter((write) => !SHARED.some((shared) => covers(shared, write)))
    .map(({ file, act, table }) => `${file} ${act}s ${table}, which belongs to ${OWNER.get(table)}`)
  expect([...new Set(strange)]).toEqual([])
})

/** Tables of rooms that the platform reads all the same, and why. */
const READ_BY_PLATFORM: Record<string, string> = {
  'platform/auth/statements-tills.ts members': 'a PIN opens a session with the role of its member',
  'platform/auth/statements.ts members': 'a session has the role of its member',
  'platform/auth/statements.ts settings': 'a workspace may require a second factor of whoever signs in',
  'platform/backup/books.ts referral_programs':
    'a restored log has other transaction numbers, so its followers begin anew',
  'platform/backup/books.ts report_positions':
    'a restored log has other transaction numbers, so its followers begin anew',
  'platform/jobs/sweep.ts accounts': 'workspaces are swept one by one',
  'platform/limits.ts accounts': 'the caps of a workspace are checked under its lock',
  'platform/plans.ts billing_subscriptions': 'caps and the gate ask what a workspace may have',
  'platform/secrets/key-file.ts accounts': 'a key may be chosen while there is no workspace',
}

/** Every table that a source names: to the builder, in SQL, or in a row that says what expires. */
const tablesIn = ({ text }: { text: string }): string[] => {
  const built = [...text.matchAll(/\.(?:\w+From|\w*[jJ]oin|insertInto|updateTable|mergeInto)\(\s*'(\w+)/g)]
  const owned = own(text, 'ownRows|insertOwn|updateOwn|deleteOwn').map(([whole, , name]) => [whole, name])
  const rows = [...text.matchAll(/\btable: '(\w+)'/g)]
  const literals = [...text.matchAll(/`[^`]*`|'[^'\n]*'/g)].map(([literal]) => literal)
  const raw = literals.flatMap((literal) => [
    ...literal.matchAll(/\b(?:from|join|into|update|table)\s+(\w+)/gi),
  ])
  return [...built, ...owned, ...rows, ...raw]
    .map(([, name]) => snake(name ?? ''))
    .filter((name) => OWNER.has(name))
}

test('the platform names no table of a room', async () => {
  const named = (await sources())
    .filter(({ file }) => file.startsWith('platform/') && !file.startsWith('platform/db/tables'))
    .flatMap((source) => tablesIn(source).map((table) => `${source.file} ${table}`))
  expect(named).toContain('platform/events/outbox.ts events')
  expect(named).toContain('platform/expires.ts sent_mails')
  const ofRooms = named.filter((use) => OWNER.get(use.split(' ')[1] ?? '')?.startsWith('areas/'))
  expect([...new Set(ofRooms)].sort()).toEqual(Object.keys(READ_BY_PLATFORM))
})

test('what expires is said by the owner of its table', async () => {
  const rows = (await sources())
    .filter(({ file }) => file.endsWith('/expires.ts'))
    .flatMap((source) =>
      tablesIn(source).map((table) => ({ file: source.file, owner: OWNER.get(table) ?? '' })),
    )
  expect(rows.length).toBeGreaterThan(5)
  const folderOf = (file: string) => file.slice(0, file.lastIndexOf('/'))
  expect(rows.filter(({ file, owner }) => !`${owner}/`.startsWith(`${folderOf(file)}/`))).toEqual([])
})

test('every write that is declared outside its owner is done', async () => {
  const known = (await sources()).flatMap(writesOf)
  const idle = SHARED.filter((shared) => !known.some((write) => covers(shared, write)))
  expect(idle.map(({ writer, does, table }) => `${writer} ${does}s ${table}`)).toEqual([])
})

test('every table of the schema has an owner, and every owner exists', async () => {
  const { rows } = await deps().pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> 'schema_migrations' order by 1`,
  )
  expect(rows.map((row) => row.name)).toEqual([...OWNER.keys()].sort())
})

// The mail server is never asked: mails are stored, and handed over by hand below.
useService({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } })

/** Tables that stand alone by design: their rows are found before the workspace is known, or are the installation's. */
const ALONE = new Set([
  'member_emails',
  'login_failures',
  'secrets_keys',
  'jobs',
  'heartbeats',
  'sweep_clock',
  'account_slugs',
  'operator_tokens',
  'backups',
])

/** Foreign keys whose check reads all rows of the workspace, and why that is bearable. */
const WITHOUT_INDEX: Record<string, string> = {
  'purchase_orders account_id supplier_id': 'a supplier is never deleted (B-supplier-1)',
  'sessions account_id member_id': 'a workspace has few sessions',
  'stock_batches account_id variant_id': 'a variant is deleted seldom, and only without history',
}

describe('the schema keeps workspaces apart', () => {
  test('every primary key and unique index of a tenant table starts with account_id', async () => {
    const { rows } = await deps().pool.query<{ table: string; first: string }>(
      `select t.relname as "table", a.attname as first from pg_index i
        join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = t.relnamespace
        join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
        where n.nspname = 'public' and i.indisunique and t.relname <> 'schema_migrations'`,
    )
    expect(rows.filter((row) => row.first !== 'account_id' && !ALONE.has(row.table))).toEqual([])
  })

  test('every foreign key carries the workspace', async () => {
    const { rows } = await deps().pool.query<{ name: string; columns: string[] }>(
      `select c.conname as name, array_agg(a.attname::text) as columns from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
        where c.contype = 'f' group by c.oid, c.conname`,
    )
    expect(rows.length).toBeGreaterThan(20)
    expect(rows.filter((row) => !row.columns.includes('account_id'))).toEqual([])
  })

  test('every foreign key has an index on the side that refers, or a reason why not', async () => {
    const { rows } = await deps().pool.query<{ key: string }>(
      `select c.conrelid::regclass || ' ' || array_to_string(array(select a.attname from unnest(c.conkey) with ordinality k(n, i)
          join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.n order by k.i), ' ') as key
        from pg_constraint c where c.contype = 'f' and not exists (
          select 1 from pg_index i where i.indrelid = c.conrelid
            and coalesce(pg_get_expr(i.indpred, i.indrelid), '') ~ '^(\\(\\w+ IS NOT NULL\\))?$'
            and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey)
        order by 1`,
    )
    expect(rows.map((row) => row.key)).toEqual(Object.keys(WITHOUT_INDEX).sort())
  })

  test('no trigger, sequence, unlogged table or foreign key that sets null exists', async () => {
    const { rows } = await deps().pool.query(
      `select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and (c.relkind = 'S' or c.relpersistence = 'u')
       union all select tgname from pg_trigger where not tgisinternal
       union all select conname from pg_constraint where contype = 'f' and confdeltype in ('n', 'd')`,
    )
    expect(rows).toEqual([])
  })
})

/** Routes that no probe asks here, and why. */
const SKIPPED: Record<string, string> = {
  'GET /auth/me': 'asked with a cookie below',
  'GET /auth/oidc/callback': 'a provider sends browsers here; test/areas/workspace/auth/oidc.test.ts has one',
  'GET /events/stream': 'a stream does not end; test/areas/insight/live has it',
  'GET /health': 'names no table of a workspace',
  'POST /auth/logout': 'asked with a cookie below',
  'POST /webhooks/fulfillment_provider': 'a partner signs one below',
  'POST /webhooks/payment_provider': 'a partner signs one below',
}
/** Requests that the service refuses, so that only a part of their statements is seen, and why. */
const REFUSED: Record<string, string> = {
  '401 POST /auth/login': 'a member that there is signs in below',
  '401 POST /auth/login/second-factor': 'a member signs in with a code below',
  '401 GET /auth/second-factor': 'a member reads their own below',
  '401 POST /auth/second-factor': 'a member sets one up below',
  '401 POST /auth/second-factor/confirm': 'a member confirms theirs below',
  '401 POST /auth/second-factor/recovery-codes': 'a member makes new ones below',
  '401 POST /auth/second-factor/off': 'a member switches theirs off below',
  '401 POST /tills': 'test/areas/workspace/tills.test.ts enrols a browser',
  '401 PUT /auth/pin': 'a member of test/areas/workspace/tills.test.ts sets one',
  '403 POST /auth/pin': 'members of test/areas/workspace/tills.test.ts sign in at a till',
  '404 GET /auth/oidc/start': 'no provider is configured here',
  '401 POST /auth/email/proof': 'a member asks for one below',
  '422 POST /auth/email/verify': 'an address is confirmed below',
  '401 POST /auth/password': 'a member changes their own below',
  '401 GET /auth/sessions': 'a member reads their own below',
  '401 DELETE /auth/sessions/{id}': 'a member ends their own below',
  '422 POST /auth/password/reset': 'a link that there is sets a password below',
  '422 POST /auth/invitations/accept': 'an invitation that there is is accepted below',
}
const SWEPT = 'the sweeper removes what has expired, whoever it belongs to'
const OPERATOR = 'the operator page counts the workspaces and what waits'
/** Statements that look at every workspace by decision, by how they begin, and why. */
const CROSSING: Record<string, string> = {
  'select account_id as id from accounts': SWEPT,
  'select a.account_id as "accountId" from accounts a where exists ( select from idempotency_keys': SWEPT,
  'select a.account_id as "accountId" from accounts a where exists ( select from events': SWEPT,
  'delete from sessions where expires_at < $1': SWEPT,
  'delete from catalogue_changes where updated_at < $1': SWEPT,
  'delete from catalogue_steps where created_at < $1': SWEPT,
  'delete from receipt_links where expires_at < $1': SWEPT,
  'delete from print_jobs where created_at < $1': SWEPT,
  'delete from drawer_kicks where created_at < $1': SWEPT,
  'delete from mailed_links where expires_at < $1': SWEPT,
  'delete from gift_card_misses where missed_at < $1': SWEPT,
  'delete from partner_notices where received_at < $1': SWEPT,
  'delete from gift_card_moves where updated_at < $1': SWEPT,
  'delete from payment_sessions where expires_at < $1': SWEPT,
  'delete from billing_checkouts where expires_at < $1': SWEPT,
  'delete from webhook_subscriptions where updated_at < $1': SWEPT,
  'delete from approvals where expires_at < $1': SWEPT,
  'delete from tills where revoked_at < $1': SWEPT,
  'delete from sent_mails where sent_at < $1': SWEPT,
  'delete from mails where created_at < $1': SWEPT,
  'select count(*)::int as count from accounts': OPERATOR,
  'select account_id as id, name, created_at as "createdAt" from accounts': OPERATOR,
  'select count(*)::int as count, min(due_at) as "oldestAt" from (select due_at from webhook_deliveries':
    OPERATOR,
  'select count(*)::int as count, min(created_at) as "oldestAt" from (select created_at from mails': OPERATOR,
  'select count(*)::int as count, min(queued_at) as "oldestAt" from (select queued_at from print_jobs':
    OPERATOR,
  'select "account_id" from "mails" where "due_at" <= $1': 'finds who has mails that are due',
  'select s.account_id as "accountId", s.delay_hours': 'finds who reminds customers of open bills, or did',
  'select p.account_id as "accountId", p.enabled from referral_programs':
    'finds whose referral program is on, or has pending attributions',
  'select "sent_at" from "sent_mails" where "mailbox" = $1':
    'a mailbox has a share, whoever writes to it (B-mail-1)',
}

describe('every statement of every route', () => {
  const seen = new Set<string>()
  const seenIn = new Map<string, Set<string>>()
  const skipped: string[] = []
  const refused: string[] = []
  let area = ''

  const ask = async (row: Route) => {
    const name = nameOf(row)
    if (row.produces === 'text/event-stream' || !hasProbe(row)) {
      skipped.push(name)
      return
    }
    const probe = await probeFor(row, acme())
    area = row.area
    const caller = authOf(row) === 'credential' ? acme() : as(null)
    const { status } = await send(caller, row, probe, { idempotencyKey: `sql${name}`.replaceAll(' ', '') })
    area = ''
    if (status >= 400) refused.push(`${status} ${name}`)
  }

  /** Switches a second factor on, signs in with it, and switches it off again. */
  const factorOf = async (inside: Api, { email, password }: { email: string; password: string }) => {
    const currentPassword = password
    const { secret } = (await inside.post('/auth/second-factor', { currentPassword })).data
    const confirmed = await inside.post('/auth/second-factor/confirm', {
      code: new TOTP({ secret: Secret.fromBase32(secret) }).generate(),
    })
    const codes: string[] = confirmed.data.recoveryCodes
    const { challenge } = (await as(null).post('/auth/login', { email, password })).error.details
    const entered = await as(null).post('/auth/login/second-factor', { challenge, code: codes[0] })
    const api = browser(cookieOf(entered))
    const done = [
      await api.get('/auth/second-factor'),
      await api.post('/auth/second-factor/recovery-codes', { currentPassword, code: codes[1] }),
    ]
    const [code] = done[1]?.data.recoveryCodes ?? []
    done.push(await api.post('/auth/second-factor/off', { currentPassword, code }))
    expect([entered, ...done].map(({ status }) => status)).toEqual([200, 200, 200, 200])
  }

  /** What runs beside the routes, or with another credential than an API key. */
  const askBeside = async () => {
    const { cookie } = await memberOf(acme(), 'OWNER')
    await browser(cookie).get('/auth/me')
    const sent: string[] = []
    const sendMail = async ({ text }: { text: string }) => sent.push(text)
    await browser(cookie).post('/auth/email/proof')
    await deliverMails(deps(), Object.assign(createTransport({ jsonTransport: true }), { sendMail }))
    const proof = sent.map((text) => /verify#(\S+)/.exec(text)?.[1]).findLast((one) => one !== undefined)
    expect((await as(null).post('/auth/email/verify', { token: proof })).status).toBe(200)
    await browser(cookie).post('/auth/logout')
    const invited = { email: 'sql@example.test', name: 'Ani', role: 'CASHIER' }
    await acme().post('/members', invited)
    await deliverMails(deps(), Object.assign(createTransport({ jsonTransport: true }), { sendMail }))
    const password = 'correct horse'
    const token = /invitation#(\S+)/.exec(sent.at(-1) ?? '')?.[1]
    const entered = [
      await as(null).post('/auth/invitations/accept', { token, password }),
      await as(null).post('/auth/login', { email: invited.email, password }),
    ]
    expect(entered.map(({ status }) => status)).toEqual([200, 200])
    const inside = browser(cookieOf(entered[1] as Answer))
    const { sessions } = (await inside.get('/auth/sessions')).data
    const changed = [
      await inside.delete(`/auth/sessions/${sessions[1].id}`),
      await inside.post('/auth/password', { currentPassword: password, password }),
    ]
    expect(changed.map(({ status }) => status)).toEqual([200, 200])
    await factorOf(browser(cookieOf(changed[1] as Answer)), { email: invited.email, password })
    await as(null).post('/auth/password/forgot', { email: invited.email })
    await deliverMails(deps(), Object.assign(createTransport({ jsonTransport: true }), { sendMail }))
    const link = /password#(\S+)/.exec(sent.at(-1) ?? '')?.[1]
    const reset = await as(null).post('/auth/password/reset', { token: link, password })
    expect([reset.status, reset.error]).toEqual([200, null])
    await noticesOfPartner()
    await sweep(deps(), expires)
    const file = 'product,sku,barcode,category,price\nSatu,S-1,B-1,Minuman,1\n'
    await importCatalogue(deps(), scopeOf(acme()), () => Readable.from([Buffer.from(file)]))
    await acme().patch('/account/abandoned-cart', { enabled: true })
    await remindCustomers(deps())
    await exportCatalogue(deps(), scopeOf(acme()), new PassThrough().resume())
  }

  const noticesOfPartner = async () => {
    const { accountId } = acme().workspace
    const session = { id: 'cks_sql', amount: 1, currency: 'IDR', metadata: { accountId, tier: 'starter' } }
    const data = { workspaceExternalId: null, session }
    expect(await notify({ type: 'checkout_session.completed', data })).toEqual([200, undefined])
  }

  beforeAll(async () => {
    const note = ({ text }: SentStatement) => {
      seen.add(text)
      seenIn.set(area, (seenIn.get(area) ?? new Set()).add(text))
    }
    await watching(note, async () => {
      for (const row of routes) await ask(row)
      await askBeside()
    })
  }, 120_000)

  test('is looked at, but for those that are known', () => {
    expect(skipped.sort()).toEqual(Object.keys(SKIPPED).sort())
    expect(refused.sort()).toEqual(Object.keys(REFUSED).sort())
  })

  test('crosses workspaces only where that was decided', () => {
    const begins = (start: string) => [...seen].some((text) => flat(text).startsWith(start))
    expect(Object.keys(CROSSING).filter((start) => !begins(start))).toEqual([])
  })

  test('compares the workspace on every table it names', () => {
    const tenant = new Set([...OWNER.keys()].filter((table) => !ALONE.has(table)))
    const decided = (sql: string) => Object.keys(CROSSING).some((start) => flat(sql).startsWith(start))
    const open = [...seen]
      .filter((sql) => !decided(sql))
      .flatMap((sql) =>
        unguarded(sql, tenant).map(({ table, alias }) => `${table} ${alias}: ${flat(sql).slice(0, 400)}`),
      )
    expect(open).toEqual([])
  })

  test('of an area that shares a table updates the agreed columns and no other', () => {
    const strange = SHARED.flatMap((shared) => {
      if (shared.does !== 'update') return []
      const { writer, table } = shared
      const columns = shared.columns.map(snake)
      return [...(seenIn.get(basename(writer)) ?? [`update ${table} set nothing_was_seen = 1`])]
        .flatMap((sql) => updatedColumns(sql, table))
        .filter((column) => !columns.includes(column))
        .map((column) => `${writer} updates ${table}.${column}`)
    })
    expect([...new Set(strange)]).toEqual([])
  })

  test('writes no function that gives another value each time it is asked', () => {
    const volatile = [...seen].filter((sql) =>
      /\b(random|clock_timestamp|gen_random_uuid|nextval)\s*\(/i.test(sql),
    )
    expect(volatile).toEqual([])
  })
})

test('the scan finds a forgotten workspace', () => {
  const tenant = new Set(['sales', 'sale_items', 'outlets'])
  const open = (sql: string) => unguarded(sql, tenant).map(({ table }) => table)
  expect(open('select * from sales where id = $1')).toEqual(['sales'])
  expect(open('select * from "sales" as "s" where "s"."account_id" = $1 and "s"."id" = $2')).toEqual([])
  expect(open('select * from sales s join sale_items l on l.sale_id = s.id where s.account_id = $1')).toEqual(
    ['sale_items'],
  )
  expect(
    open(
      'select * from sales s join sale_items l on l.account_id = $1 and l.sale_id = s.id where s.account_id = $1',
    ),
  ).toEqual([])
  expect(open('update outlets set name = $1 where id = $2')).toEqual(['outlets'])
  expect(open('delete from outlets where account_id = $1 and id = $2')).toEqual([])
  expect(
    open('select 1 from outlets where account_id = $1 and exists (select 1 from sales where outlet_id = $2)'),
  ).toEqual(['sales'])
  expect(open('select id from outlets where account_id = $1 for update')).toEqual([])
})

test('the scan of a source finds who writes, by the builder, by the helpers that begin with the workspace, and in SQL', () => {
  const found = (text: string) => writesOf({ file: 'x.ts', text }).map(({ act, table }) => `${act} ${table}`)
  expect(found("tx.insertInto('saleItems').values(rows)")).toEqual(['insert sale_items'])
  expect(found("insertOwn(tx, scope, 'saleItems', rows)")).toEqual(['insert sale_items'])
  expect(found("updateOwn(tx, scope, 'outlets').set({ name })")).toEqual(['update outlets'])
  expect(found("deleteOwn(\n  tx,\n  { accountId },\n  'outlets',\n)")).toEqual(['delete outlets'])
  expect(found("ownRows(db, scope, 'outlets').forUpdate()")).toEqual([])
  expect(found('const A = writeStatement("a", `delete from outlets where account_id = $1`)')).toEqual([
    'delete outlets',
  ])
  expect(tablesIn({ text: "ownRows(db, scope, 'saleItems').select('id')" })).toEqual(['sale_items'])
})

test('the scan finds who writes, and how', () => {
  const found = (sql: string) => writes(sql).map(({ act, table }) => `${act} ${table}`)
  expect(found('insert into sales (a) values ($1) on conflict (a) do update set b = 1')).toEqual([
    'insert sales',
  ])
  expect(found('with x as (delete from "outlets" returning id) update sales s set a = 1')).toEqual([
    'delete outlets',
    'update sales',
  ])
  expect(found('merge into outlets using x on true')).toEqual(['merge outlets'])
  expect(found('select id from sales where a = $1 for update skip locked')).toEqual([])
  expect(found('select id from sales s where a = $1 for no key update of s')).toEqual([])
})

test('the scan finds which columns an update sets', () => {
  expect(
    updatedColumns('update "sales" set "a" = $1, "b" = coalesce($2, 3), c = 4 where x = 1', 'sales'),
  ).toEqual(['a', 'b', 'c'])
  expect(
    updatedColumns(
      'with u as (update sale_items i set a = v.a from unnest($1) v where true returning 1) select 1',
      'sale_items',
    ),
  ).toEqual(['a'])
  expect(updatedColumns('select 1 from sales', 'sales')).toEqual([])
})
