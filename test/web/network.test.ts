import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { get } from 'node:https'
import path from 'node:path'
import { connect } from 'node:tls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { makeOutlet, makeProduct } from '../support/build.ts'
import { done } from '../support/expect.ts'
import { freshDataDir, kasir } from '../support/kasir.ts'
import { freePort } from '../support/pooler.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'
import {
  DESKTOP,
  keepPage,
  lineState,
  openRegister,
  requireBuiltRegister,
  sellOne,
  visit,
} from '../support/register-page.ts'
import { acme, address, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

/** A name that only the browser of this test resolves: no browser takes it for this machine. */
const NAME = 'kasir.lan'
const RESOLVES = `--host-resolver-rules=MAP ${NAME} 127.0.0.1`

let outletId = ''
let secure: RunningProcess
let authority = ''
const dataDir = await freshDataDir()

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
  await makeProduct(acme(), { name: 'Es Teh', trackStock: false, variants: [{ price: 6_500 }] })
  const made = await kasir(['tls', NAME], { DATA_DIR: dataDir.dataDir })
  expect([made.code, made.err]).toEqual([0, ''])
  const file = (name: string) => path.join(dataDir.dataDir, 'tls', name)
  authority = readFileSync(file('authority.crt'), 'utf8')
  const port = String(await freePort())
  secure = await startProcess({
    PORT: port,
    PUBLIC_URL: `https://${NAME}:${port}`,
    TLS_CERT: file('service.crt'),
    TLS_KEY: file('service.key'),
  })
}, 240_000)
afterAll(async () => {
  await secure?.kill()
  await dataDir.remove()
})

const countSales = async () =>
  done(await acme().get(`/sales?outletId=${outletId}&status=COMPLETED&limit=100`)).length

describeInChromium(
  'over plain http, from a name in the network',
  (browser) => {
    it('sells, survives a lost line while the page is open, and says that the page must stay open', async () => {
      const at = `http://${NAME}:${new URL(address()).port}`
      const { page, context } = await visit(browser(), { ...DESKTOP, at, reach: address() })
      await openRegister(page, at)
      expect(await page.evaluate('window.isSecureContext')).toBe(false)
      const before = await countSales()
      await sellOne(page, 'Es Teh')
      await lineState(page, 'Daring').waitFor()
      expect(await countSales()).toBe(before + 1)
      await context.setOffline(true)
      await sellOne(page, 'Es Teh')
      await sellOne(page, 'Es Teh')
      await page.getByText('Alamat ini bukan https').waitFor()
      await lineState(page, 'Luring · 2 antre').waitFor()
      await context.setOffline(false)
      await lineState(page, 'Daring').waitFor()
      expect(await countSales()).toBe(before + 3)
    }, 180_000)
  },
  () => [RESOLVES],
)

const spkiOf = (pem: string) =>
  createHash('sha256')
    .update(new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')

describeInChromium(
  'over https with a certificate of kasir tls, in a browser that trusts its authority',
  (browser) => {
    it('opens without a line after a reload, and sends what was sold', async () => {
      const at = secure.address
      const { page, context } = await visit(browser(), { ...DESKTOP, at, reach: address() })
      await openRegister(page, at)
      expect(await page.evaluate('window.isSecureContext')).toBe(true)
      await keepPage(page)
      const before = await countSales()
      await context.setOffline(true)
      await sellOne(page, 'Es Teh')
      await page.reload()
      await lineState(page, 'Luring · 1 antre').waitFor()
      expect(await page.getByText('Alamat ini bukan https').count()).toBe(0)
      await context.setOffline(false)
      await lineState(page, 'Daring').waitFor()
      expect(await countSales()).toBe(before + 1)
    }, 180_000)
  },
  () => [RESOLVES, `--ignore-certificate-errors-spki-list=${spkiOf(authority)}`],
)

describeInChromium(
  'over https with a certificate of kasir tls, in a browser that does not know its authority',
  (browser) => {
    it('is refused', async () => {
      const { page } = await visit(browser(), { ...DESKTOP, at: secure.address }, null)
      await expect(page.goto(secure.address)).rejects.toThrow('ERR_CERT_AUTHORITY_INVALID')
    }, 60_000)
  },
  () => [RESOLVES],
)

it('a client that trusts the authority verifies the chain and the name', async () => {
  const { port } = new URL(secure.address)
  const answer = await new Promise<{ status: number | undefined; isVerified: boolean }>((resolve, reject) => {
    get(
      `https://127.0.0.1:${port}/api/v1/health`,
      { ca: authority, servername: NAME, headers: { host: NAME } },
      (response) => {
        const { authorized } = response.socket as unknown as { authorized: boolean }
        response.resume()
        resolve({ status: response.statusCode, isVerified: authorized })
      },
    ).on('error', reject)
  })
  expect(answer).toEqual({ status: 200, isVerified: true })
})

/** The serial number of the certificate that the service presents. */
const serial = () =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(
      { port: Number(new URL(secure.address).port), host: '127.0.0.1', ca: authority, servername: NAME },
      () => {
        resolve(socket.getPeerX509Certificate()?.serialNumber ?? '')
        socket.destroy()
      },
    ).on('error', reject)
  })

it('a renewed certificate of the same authority is in use without a restart', async () => {
  const before = await serial()
  expect((await kasir(['tls', NAME], { DATA_DIR: dataDir.dataDir })).code).toBe(0)
  await expect.poll(serial, { timeout: 30_000, interval: 500 }).not.toBe(before)
}, 60_000)
