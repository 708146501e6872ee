import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Api } from '../../support/api.ts'
import { enableModule } from '../../support/build.ts'
import { delegateOf, memberOf } from '../../support/clients.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { keyAtPartner, NO_FULFILLMENT, sendJson, settingsOf, startPartner } from '../../support/partner.ts'
import { acme, deps, globex, startHarness, useService, workspace } from '../../support/service.ts'

const partner = await startPartner()
useService({ env: { ...settingsOf(partner), ...NO_FULFILLMENT, PAYMENT_PARTNER_URL: `${partner.url}/` } })
afterAll(() => partner.close())
beforeEach(() => {
  partner.answers()
  partner.asked.length = 0
})

const toggle = (module: string, enabled: boolean, api = acme()) => api.post('/modules', { module, enabled })
const stateIn = async (module: string, api = acme()) =>
  done(await api.get('/modules')).modules.find((row: { module: string }) => row.module === module)

describe('modules of a paid plan', () => {
  test('are listed in their order, all off until somebody switches one on', async () => {
    expect(done(await globex().get('/modules')).modules).toEqual([
      { module: 'payment', enabled: false, allowed: true, provisionedAt: null },
      { module: 'fulfillment', enabled: false, allowed: true, provisionedAt: null },
      { module: 'marketing', enabled: false, allowed: true, provisionedAt: null },
    ])
  })

  test('the first enable gets the workspace a place at the partner; switching off and on again asks nobody', async () => {
    const shop = await workspace('Warung')
    const { accountId } = shop.workspace
    const first = done(
      await shop.post('/modules', { module: 'payment', enabled: true }, { idempotencyKey: 'k-1' }),
    )
    expect(first.module).toEqual({
      module: 'payment',
      enabled: true,
      allowed: true,
      provisionedAt: expect.stringMatching(/^\d{4}-/),
    })
    expect(partner.asked.map(({ method, path, body }) => [method, path, JSON.parse(body)])).toEqual([
      ['POST', '/v1/workspaces', { externalId: accountId, name: 'Warung' }],
    ])
    expect(partner.asked[0]?.headers.authorization).toBe('Bearer platform-key')
    for (const enabled of [true, false, false, true]) {
      expect(done(await toggle('payment', enabled, shop)).module.enabled).toBe(enabled)
    }
    expect(partner.asked.length).toBe(1)
    expect(await shop.events()).toEqual([
      'service.module.changed.v1',
      'service.module.changed.v1',
      'service.module.changed.v1',
    ])
  })

  test('two workspaces may enable a module under the same Idempotency-Key, and one may again under another name', async () => {
    const keys = new Map<string, string>()
    partner.answers((request, response) => {
      const key = String(request.headers['idempotency-key'])
      const body = keys.get(key) ?? request.body
      keys.set(key, body)
      if (body === request.body) return partner.well(request, response)
      sendJson(response, 409, { error: { code: 'IDEMPOTENCY_KEY_IN_USE', message: 'another body' } })
    })
    const options = { idempotencyKey: 'enable-1' }
    const enable = (api: Api) => api.post('/modules', { module: 'payment', enabled: true }, options)
    const [one, other] = [await workspace('One'), await workspace('Other')]
    expect([(await enable(one)).status, (await enable(other)).status]).toEqual([200, 200])
    await deps().db.deleteFrom('idempotencyKeys').execute()
    await deps()
      .db.updateTable('modules')
      .set({ partner: 'https://old.example' })
      .where('accountId', '=', one.workspace.accountId)
      .execute()
    done(await one.put('/settings', { businessName: 'One and a half' }))
    expect((await enable(one)).status).toBe(200)
    expect(keys.size).toBe(3)
  })

  test('the key at the partner lies in the database sealed, and opens there alone', async () => {
    const shop = await workspace('Sealed')
    await enableModule(shop, 'payment')
    const { accountId } = shop.workspace
    const row = await deps()
      .db.selectFrom('modules')
      .selectAll()
      .where('accountId', '=', accountId)
      .executeTakeFirstOrThrow()
    const { rows } = await deps().pool.query('select m::text as text from modules m where account_id = $1', [
      accountId,
    ])
    expect(rows[0].text).not.toContain(keyAtPartner(accountId))
    const at = { table: 'modules', column: 'partner_key', accountId, row: 'payment' } as const
    expect(await deps().secrets.open(row.partnerKey ?? '', at)).toBe(keyAtPartner(accountId))
    await expect(deps().secrets.open(row.partnerKey ?? '', { ...at, row: 'marketing' })).rejects.toThrow()
  })

  test('marketing works without a partner; payment and fulfillment cannot be switched on without theirs', async () => {
    const shop = await workspace('Alone')
    expect(done(await toggle('marketing', true, shop)).module).toEqual({
      module: 'marketing',
      enabled: true,
      allowed: true,
      provisionedAt: null,
    })
    const refused = await toggle('fulfillment', true, shop)
    expect(refusalOf(refused)).toEqual({ status: 502, code: 'PARTNER_ERROR', param: undefined })
    expect(refused.error.message).toContain('FULFILLMENT_PARTNER_URL')
    expect((await stateIn('fulfillment', shop)).enabled).toBe(false)
  })

  test.each([
    ['an error', 500, { error: { code: 'OOPS', message: 'oops' } }],
    ['our key refused', 401, { error: { code: 'UNAUTHORIZED', message: 'wrong key' } }],
    ['no place', 201, { data: { workspaceId: 'ws_1' } }],
    ['a key that no header can carry', 201, { data: { workspaceId: 'ws_1', apiKey: 'a\nb' } }],
    ['no data', 200, {}],
  ])(
    'a partner that answers %s leaves the module off with 502, and the next try succeeds',
    async (_, status, body) => {
      const shop = await workspace('Unlucky')
      partner.answers((_request, response) => void sendJson(response, status, body))
      expect(refusalOf(await toggle('payment', true, shop))).toMatchObject({
        status: 502,
        code: 'PARTNER_ERROR',
      })
      expect(await stateIn('payment', shop)).toMatchObject({ enabled: false, provisionedAt: null })
      partner.answers()
      expect(done(await toggle('payment', true, shop)).module.enabled).toBe(true)
    },
  )

  test.each([
    [400, 'VALIDATION_ERROR'],
    [402, 'PLAN_UPGRADE_REQUIRED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [422, 'VALIDATION_ERROR'],
  ])(
    'a partner that refuses the account with %s leaves the module off with 502 and its reason',
    async (status, code) => {
      const shop = await workspace('Refused')
      const error = { code, message: 'No more merchants this month', param: 'externalId' }
      partner.answers((_request, response) => void sendJson(response, status, { error }))
      const refused = await toggle('payment', true, shop)
      expect(refusalOf(refused)).toEqual({ status: 502, code: 'PARTNER_ERROR', param: undefined })
      expect(refused.error.message).toContain('No more merchants this month')
      expect(await stateIn('payment', shop)).toMatchObject({ enabled: false, provisionedAt: null })
    },
  )

  test('a partner over its rate limit leaves the module off with 429, and the pause reaches the owner', async () => {
    const shop = await workspace('Limited')
    partner.answers((_request, response) => {
      response.setHeader('retry-after', '90')
      sendJson(response, 429, { error: { code: 'RATE_LIMITED', message: 'Slow down' } })
    })
    const limited = await toggle('payment', true, shop)
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '90'])
    expect((await stateIn('payment', shop)).enabled).toBe(false)
  })

  test('ten first enables at once answer alike, leave one event and one place', async () => {
    const shop = await workspace('Crowd')
    const answers = await Promise.all(Array.from({ length: 10 }, () => toggle('payment', true, shop)))
    expect(answers.map(({ status, data }) => [status, data.module.enabled])).toEqual(
      answers.map(() => [200, true]),
    )
    expect(await shop.events()).toEqual(['service.module.changed.v1'])
  })

  test('an unknown name is 422 UNKNOWN_MODULE with the nearest one, a missing field 400', async () => {
    const misspelt = await toggle('payments', true)
    expect(refusalOf(misspelt)).toEqual({ status: 422, code: 'UNKNOWN_MODULE', param: 'module' })
    expect(misspelt.error.message).toContain('did you mean payment?')
    expect(refusalOf(await acme().post('/modules', { module: 'games' }))).toMatchObject({
      status: 400,
      param: 'enabled',
    })
    expect(refusalOf(await acme().post('/modules', { module: 'payment', enabled: 'yes' }))).toMatchObject({
      status: 400,
      param: 'enabled',
    })
  })

  test('belong to one workspace: what another switched on is off here', async () => {
    await enableModule(acme(), 'marketing')
    expect((await stateIn('marketing', globex())).enabled).toBe(false)
  })

  test('are read by everybody and switched by managers, never by an assistant', async () => {
    const cashier = await memberOf(acme(), 'CASHIER')
    expect((await cashier.api.get('/modules')).status).toBe(200)
    expect((await toggle('marketing', true, cashier.api)).status).toBe(403)
    const manager = await memberOf(acme(), 'MANAGER')
    expect((await toggle('marketing', true, manager.api)).status).toBe(200)
    const assistant = await delegateOf(acme(), (await memberOf(acme(), 'OWNER')).id, 'act')
    expect((await toggle('marketing', false, assistant.api)).status).toBe(403)
  })
})

describe('on the free plan', () => {
  test('a module is 402, off is allowed, and an unknown name is told first', async () => {
    const { harness, stop } = await startHarness({ env: { DEFAULT_TIER: 'free' } })
    try {
      const shop = harness.acme
      expect(refusalOf(await toggle('marketing', true, shop))).toMatchObject({
        status: 402,
        code: 'PLAN_UPGRADE_REQUIRED',
      })
      expect(refusalOf(await toggle('games', true, shop))).toMatchObject({
        status: 422,
        code: 'UNKNOWN_MODULE',
      })
      expect(done(await toggle('marketing', false, shop)).module).toEqual({
        module: 'marketing',
        enabled: false,
        allowed: false,
        provisionedAt: null,
      })
    } finally {
      await stop()
    }
  })
})
