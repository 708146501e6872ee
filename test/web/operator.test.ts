import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { revokeOperators } from '../../src/platform/auth/operator.ts'
import { MANUAL } from '../../web/src/features/operator/manual.ts'
import { describeInChromium } from '../support/browser.ts'
import { operatorLink } from '../support/operator.ts'
import { DESKTOP, requireBuiltRegister, type Screen, visit } from '../support/register-page.ts'
import { acme, address, deps, globex, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const PHONE: Screen = { width: 390, height: 844 }

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const command = (page: Page) => page.getByText('kasir operator-link', { exact: true })

async function expectAccessible(page: Page) {
  await page.evaluate(AXE)
  for (const theme of ['dark', 'light']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))')
    const found = (await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(TAGS)} })`)) as {
      violations: { id: string; nodes: { html: string }[] }[]
    }
    expect(found.violations.map(({ id, nodes }) => [theme, id, nodes[0]?.html])).toEqual([])
  }
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
    expect([width, await page.evaluate(isWide)]).toEqual([width, false])
    const parts =
      "[...document.querySelectorAll('main section')].filter((it) => it.scrollWidth > it.clientWidth + 1).map((it) => it.ariaLabel)"
    expect([width, await page.evaluate(parts)]).toEqual([width, []])
  }
}

async function enter(page: Page, open = 'Buka halaman operator', title = 'Halaman operator') {
  await page.goto(`${address()}/operator#${await operatorLink()}`)
  await button(page, open).click()
  await panel(page, title === 'Halaman operator' ? 'Temuan' : 'Findings').waitFor()
}

const ago = (ms: number) => new Date(Date.parse(deps().clock.now()) - ms).toISOString()
const RUN = { startedAt: '2026-07-01T00:00:00.000Z', dueAt: '2026-07-01T02:00:00.000Z' }

beforeAll(async () => {
  const { db } = deps()
  await db
    .insertInto('jobs')
    .values([
      { ...RUN, name: 'sweep', finishedAt: '2026-07-01T00:00:01.500Z' },
      {
        ...RUN,
        name: 'mail',
        failedAt: '2026-07-01T00:00:02.000Z',
        failure: 'connect ECONNREFUSED 10.0.0.7:25',
      },
      {
        ...RUN,
        name: 'archive',
        startedAt: ago(25 * 3_600_000 + 1_000),
        running: true,
        failedAt: ago(50 * 3_600_000),
        failure: 'an earlier failure',
      },
      { ...RUN, name: 'just-started', startedAt: ago(60_000), running: true },
    ])
    .execute()
  await db
    .insertInto('backups')
    .values([
      {
        takenAt: '2026-06-28T01:00:00.000Z',
        file: 'kasir-20260628T010000Z.tar.gz',
        bytes: 4_200_000,
        sound: true,
        verifiedAt: '2026-06-28T01:05:00.000Z',
      },
      { takenAt: '2026-06-27T01:00:00.000Z', file: '-', bytes: null, sound: false, verifiedAt: null },
    ])
    .execute()
})

describeInChromium('the operator page', (browser) => {
  it('names the command of the link without an operator session, and keeps a member signed in', async () => {
    const { page } = await visit(browser(), DESKTOP)
    await page.goto(`${address()}/operator`)
    await heading(page, 'Halaman operator').waitFor()
    await command(page).waitFor()
    await expectAccessible(page)
    await page.goto(`${address()}/akun`)
    await heading(page, 'Akun saya').waitFor()
  })

  it('opens by the link, whose token is removed from the address and the history', async () => {
    const { page, strangers } = await visit(browser(), DESKTOP, null)
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    const token = await operatorLink()
    await page.goto(`${address()}/operator#${token}`)
    await button(page, 'Buka halaman operator').click()
    await panel(page, 'Temuan').waitFor()
    expect(page.url()).toBe(`${address()}/operator`)
    expect(sent.filter((url) => url.includes(token) && !url.includes('#'))).toEqual([])
    expect(strangers).toEqual([])
    await page.reload()
    await panel(page, 'Temuan').waitFor()

    const { page: other } = await visit(browser(), DESKTOP, null)
    await other.goto(`${address()}/operator#${token}`)
    await button(other, 'Buka halaman operator').click()
    await other.getByText('Tautan ini sudah dipakai atau kedaluwarsa', { exact: false }).waitFor()
    await command(other).waitFor()
  })

  it('shows findings with what to do, jobs, backups, tables and the workspaces, in both languages', async () => {
    const { page } = await visit(browser(), PHONE, null)
    await enter(page)
    const findings = panel(page, 'Temuan')
    await findings.getByText('Run kasir backup, and find out why', { exact: false }).waitFor()
    await findings.getByText('docs/operations.md#there-is-no-recent-backup', { exact: false }).waitFor()
    await panel(page, 'Tugas berkala').getByText('connect ECONNREFUSED 10.0.0.7:25').waitFor()
    const jobs = panel(page, 'Tugas berkala').getByRole('row')
    await jobs.filter({ hasText: 'archive' }).getByText('Sudah berjalan 25 jam', { exact: true }).waitFor()
    await jobs.filter({ hasText: 'just-started' }).getByText('Berjalan', { exact: true }).waitFor()
    await panel(page, 'Cadangan').getByText('Lolos uji pemulihan').waitFor()
    await panel(page, 'Cadangan').getByText('Pembukuan tidak cocok').waitFor()
    for (const { workspace } of [acme(), globex()])
      await panel(page, 'Ruang usaha').getByText(workspace.accountId).waitFor()
    await expectAccessible(page)

    const { page: english } = await visit(browser(), { ...DESKTOP, language: 'en' }, null)
    await enter(english, 'Open the operator page', 'Operator page')
    await panel(english, 'Largest tables').getByRole('row').nth(10).waitFor()
    await expectAccessible(english)
  })

  it('lists workspaces page after page', async () => {
    const { page } = await visit(browser(), DESKTOP, null)
    await page.route('**/api/v1/operator/workspaces*', (route) => {
      const url = new URL(route.request().url())
      url.searchParams.set('limit', '1')
      return route.continue({ url: url.href })
    })
    await enter(page)
    const list = panel(page, 'Ruang usaha')
    await list.getByText(globex().workspace.accountId).waitFor()
    expect(await list.getByText(acme().workspace.accountId).count()).toBe(0)
    await list.getByRole('button', { name: 'Tampilkan lagi' }).click()
    await list.getByText(acme().workspace.accountId).waitFor()
  })

  it('reads the state again every 30 seconds, keeps the last figures without an answer, and asks for a new link once the session ended', async () => {
    const { page } = await visit(browser(), DESKTOP, null)
    await page.clock.install()
    await enter(page)
    await page.route('**/api/v1/operator/overview', (route) => route.abort())
    await page.clock.fastForward(31_000)
    await page.getByText('Pembaruan gagal', { exact: false }).waitFor()
    await panel(page, 'Temuan').waitFor()
    await page.unroute('**/api/v1/operator/overview')
    await page.clock.fastForward(31_000)
    await page.getByText(/^Diperbarui /).waitFor()
    await revokeOperators(deps().db, deps().clock.now())
    await page.clock.fastForward(31_000)
    await command(page).waitFor()
  })

  it('ends the operator session with Keluar', async () => {
    const { page, context } = await visit(browser(), DESKTOP, null)
    await enter(page)
    expect(await context.cookies(`${address()}/api/v1/operator/overview`)).toHaveLength(1)
    expect(await context.cookies(`${address()}/api/v1/outlets`)).toEqual([])
    await button(page, 'Keluar').click()
    await command(page).waitFor()
    expect(await context.cookies(`${address()}/api/v1/operator/overview`)).toEqual([])
  })
})

it('leads from each finding to a section of the documentation that exists', () => {
  const anchorsOf = (file: string) =>
    [
      ...readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8').matchAll(
        /^##+ (.+)$/gm,
      ),
    ].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(/\s/g, '-'),
    )
  for (const place of Object.values(MANUAL)) {
    const [file = '', anchor] = place.split('#')
    expect([place, anchorsOf(file).includes(anchor ?? '')]).toEqual([place, true])
  }
})
