import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeWithProfiles } from '../support/browser.ts'
import { makeOutlet, makeProduct } from '../support/build.ts'
import { wholeChromiumPath } from '../support/chromium.ts'
import { memberOf } from '../support/clients.ts'
import { assertInvariants } from '../support/expect.ts'
import { freePort } from '../support/pooler.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'
import { keepPage, lineState, openRegister, requireBuiltRegister } from '../support/register-page.ts'
import { acme, deps, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

const DAY_MS = 24 * 3_600_000
/** Sales two days ago, a day ago and today. WEB_LONG=1 makes 200, which takes minutes. */
const [FIRST, SECOND, THIRD] = process.env['WEB_LONG'] === undefined ? [14, 14, 12] : [70, 70, 60]
const ALL = FIRST + SECOND + THIRD
let outletId = ''
let profile = ''
beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
  await makeProduct(acme(), { name: 'Es Teh', trackStock: false, variants: [{ price: 6_500 }] })
})
beforeEach(async () => {
  profile = await mkdtemp(path.join(tmpdir(), 'kasir-browser-'))
  for (const { id } of await allSales()) known.add(id)
})
/** Ends what a try has started, also one that failed. */
const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0)) await end()
  await rm(profile, { recursive: true, force: true, maxRetries: 5 })
})
const startService = async (port: string): Promise<RunningProcess> => {
  const service = await startProcess({ PORT: port })
  endings.push(service.kill)
  return service
}

type OwnBrowser = { context: BrowserContext; page: Page; kill(): Promise<void> }

/** A browser with a profile on disk, which can be killed like one whose tablet lost its power. */
async function openBrowser(): Promise<OwnBrowser> {
  await rm(path.join(profile, 'DevToolsActivePort'), { force: true })
  await rm(path.join(profile, 'SingletonLock'), { force: true })
  const args = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--remote-debugging-port=0',
    '--lang=id-ID',
  ]
  const child: ChildProcess = spawn(
    wholeChromiumPath() ?? '',
    [...args, `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: 'ignore' },
  )
  const ended = once(child, 'close')
  const portFile = path.join(profile, 'DevToolsActivePort')
  const port = () =>
    readFile(portFile, 'utf8').then(
      (text) => Number(text.split('\n')[0]),
      () => 0,
    )
  await expect.poll(port, { timeout: 30_000 }).toBeGreaterThan(0)
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${await port()}`)
  const [context] = browser.contexts()
  if (!context) throw new Error('a browser over CDP has a context')
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
    await browser.close().catch(() => {})
  }
  endings.push(kill)
  return { context, page, kill }
}

/** Sells as fast as the register can, by its own buttons. */
const sell = (page: Page, count: number) =>
  page.evaluate(`(async () => {
    const until = async (find) => {
      for (let tries = 0; tries < 2000; tries += 1) {
        const found = find()
        if (found) return found
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      throw new Error('the register did not get there')
    }
    const button = (name) => [...document.querySelectorAll('button')].find((each) => each.textContent.includes(name) && !each.disabled)
    const change = () => [...document.querySelectorAll('[role=status]')].find((each) => each.textContent.includes('Kembali'))
    for (let sold = 0; sold < ${count}; sold += 1) {
      ;(await until(() => button('Es Teh'))).click()
      await until(() => !change())
      ;(await until(() => button('Uang pas'))).click()
      await until(change)
    }
  })()`)

/** Sets the clock of the page back, so that sales are made on earlier days. */
const setBack = (page: Page, days: number) => page.clock.setSystemTime(Date.now() - days * DAY_MS)

type Row = { id: string; offline: { ref: string; soldAt: string } | null; createdAt: string }
async function allSales(): Promise<Row[]> {
  const rows: Row[] = []
  let cursor = ''
  do {
    const answer = await acme().get(`/sales?outletId=${outletId}&status=COMPLETED&limit=100${cursor}`)
    rows.push(...answer.data)
    cursor = answer.meta.hasMore ? `&cursor=${encodeURIComponent(answer.meta.cursor)}` : ''
  } while (cursor !== '')
  return rows
}
/** Sales of an earlier try of this test are not counted. */
const known = new Set<string>()
const arrived = async () => (await allSales()).filter(({ id }) => !known.has(id))

describeWithProfiles('sales without a line', () => {
  it('arrive once each, on their own days, although page, browser and service were killed', async () => {
    const port = String(await freePort())
    const at = `http://127.0.0.1:${port}`
    let service = await startService(port)
    let own = await openBrowser()
    const [name = '', value = ''] = (await memberOf(acme(), 'OWNER', 'Rina')).cookie.split('=')
    const cookie = { name, value, url: at, expires: Date.now() / 1_000 + 7 * 86_400 }
    await own.context.addCookies([cookie])
    const answer = await fetch(`${at}/api/v1/auth/me`, { headers: { cookie: `${name}=${value}` } })
    const me = (await answer.json()) as { data: { user: unknown; account: unknown } }
    const session = JSON.stringify({ state: { member: me.data.user, account: me.data.account }, version: 0 })
    const storing = `localStorage.setItem('kasir-session', ${JSON.stringify(session)})
      localStorage.setItem('kasir-device', JSON.stringify({ state: { language: 'id', theme: 'light', outletId: null }, version: 0 }))`
    await own.page.goto(`${at}/masuk`)
    await own.page.evaluate(storing)
    await openRegister(own.page, at)
    await keepPage(own.page)
    await service.kill()
    const today = new Date()
    await setBack(own.page, 2)
    await sell(own.page, FIRST)
    await own.page.reload()
    await setBack(own.page, 1)
    await sell(own.page, SECOND)
    // The disk has every sale whose receipt showed.
    await own.kill()
    own = await openBrowser()
    // The browser writes cookies to disk every half minute and localStorage some seconds late: the kill may have lost them.
    await own.context.addCookies([cookie])
    await own.page.goto(`${at}/masuk`)
    await own.page.evaluate(storing)
    await own.page.goto(`${at}/jual`)
    await lineState(own.page, `Luring · ${FIRST + SECOND} antre`).waitFor()
    await sell(own.page, THIRD)
    await lineState(own.page, `Luring · ${ALL} antre`).waitFor()
    for (const least of [ALL / 10, ALL / 2]) {
      service = await startService(port)
      await expect
        .poll(async () => (await arrived()).length, { timeout: 60_000, interval: 20 })
        .toBeGreaterThan(least)
      await service.kill()
      // As after 24 hours: what was sent and not answered is recognised by its reference alone.
      await deps().pool.query('delete from idempotency_keys where account_id = $1', [
        acme().workspace.accountId,
      ])
    }
    service = await startService(port)
    await lineState(own.page, 'Daring').waitFor({ timeout: 90_000 })
    const sales = await arrived()
    expect(sales).toHaveLength(ALL)
    expect(new Set(sales.map(({ offline }) => offline?.ref)).size).toBe(ALL)
    const days = new Map<number, number>()
    for (const { offline } of sales) {
      const day = Math.round((today.getTime() - Date.parse(offline?.soldAt ?? '')) / DAY_MS)
      days.set(day, (days.get(day) ?? 0) + 1)
    }
    expect([...days].sort()).toEqual([
      [0, THIRD],
      [1, SECOND],
      [2, FIRST],
    ])
    await assertInvariants(deps().db)
  }, 300_000)
})
