import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { OFFICE_PAGES } from '../../../web/src/office/page-routes.ts'
import { describeInChromium } from '../../support/browser.ts'
import { enableModule, makeOutlet, makeProduct } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { requireBuiltRegister, visit } from '../../support/register-page.ts'
import { acme, address, useService } from '../../support/service.ts'

requireBuiltRegister()
useService()

const { paths } = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { operationId?: string; 'x-role'?: string }>>
}
const roleOf = new Map(
  Object.values(paths)
    .flatMap((item) => Object.values(item))
    .map(({ operationId = '', 'x-role': role = '' }) => [operationId, role]),
)
const RANKS = ['CASHIER', 'MANAGER', 'OWNER'] as const
const allows = (role: string, route: string) =>
  RANKS.indexOf(role as 'OWNER') >= RANKS.indexOf((roleOf.get(route) ?? 'OWNER') as 'OWNER')

beforeAll(async () => {
  for (const module of ['fulfillment', 'marketing'] as const) await enableModule(acme(), module)
  await makeOutlet(acme(), { name: 'Cikini' })
  await makeProduct(acme(), { name: 'Es Teh', variants: [{ price: 6_000 }] })
})

describeInChromium('the pages of the back office', (browser) => {
  it('show each role the pages and actions that the service allows, and ask it for nothing else', async () => {
    const actions = new Map<string, Map<string, Set<string>>>()
    for (const role of RANKS) {
      const { cookie } = await memberOf(acme(), role, role)
      const { page } = await visit(browser(), undefined, cookie)
      const refused: string[] = []
      page.on('response', (response) => {
        if (response.status() === 403) refused.push(response.url())
      })
      for (const { path, opens } of OFFICE_PAGES) {
        await page.goto(address() + path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForLoadState('networkidle')
        const isLocked = await page.getByRole('heading', { name: 'Halaman ini untuk peran lain' }).isVisible()
        expect([role, path, isLocked]).toEqual([role, path, !opens.every((route) => allows(role, route))])
        const menu = page.getByRole('navigation', { name: 'Kelola' })
        expect([role, path, await menu.locator(`a[href="${path}"]`).count()]).toEqual([
          role,
          path,
          isLocked ? 0 : 1,
        ])
        const shown = await page
          .locator('[data-route]')
          .evaluateAll((all) =>
            (all as unknown as { dataset: { route: string } }[]).map(({ dataset }) => dataset.route),
          )
        for (const route of shown)
          expect([role, path, route, allows(role, route)]).toEqual([role, path, route, true])
        const ofPath = actions.get(path) ?? new Map<string, Set<string>>()
        actions.set(path, ofPath.set(role, new Set(shown)))
      }
      expect(refused).toEqual([])
    }
    // An owner's action is missing for another role exactly where the service refuses it.
    for (const [path, byRole] of actions)
      for (const role of ['CASHIER', 'MANAGER'] as const) {
        const { opens } = OFFICE_PAGES.find((page) => page.path === path) ?? { opens: [] }
        if (!opens.every((route) => allows(role, route))) continue
        for (const route of byRole.get('OWNER') ?? [])
          expect([role, path, route, byRole.get(role)?.has(route)]).toEqual([
            role,
            path,
            route,
            allows(role, route),
          ])
      }
  }, 180_000)
})
