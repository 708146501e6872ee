import { OAuth2Server } from 'oauth2-mock-server'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { manualClock, systemClock } from '../../src/platform/clock.ts'
import { describeInChromium } from '../support/browser.ts'
import { browser as clientOf, cookieOf } from '../support/clients.ts'
import { done } from '../support/expect.ts'
import { mailsTo } from '../support/mails.ts'
import { DESKTOP, requireBuiltRegister, visit } from '../support/register-page.ts'
import { address, as, deps, useService } from '../support/service.ts'

requireBuiltRegister()
const PUBLIC_URL = 'http://kasir.example.com'
const provider = new OAuth2Server()
await provider.issuer.keys.generate('RS256')
await provider.start(0, '127.0.0.1')
afterAll(() => provider.stop())

const clock = manualClock(systemClock.now())
useService({
  clock,
  env: { PUBLIC_URL, OIDC_ISSUER: provider.issuer.url ?? '', OIDC_CLIENT_ID: 'kasir' },
})

const HOUR = 3_600_000
const PASSWORD = 'nasi goreng pedas'
const NEXT = 'gado gado siang'

let count = 0
/** An owner who signed up, with the API of their browser. */
async function owner() {
  const email = `masuk${(count += 1)}@example.com`
  const answer = await as(null).post('/auth/signup', {
    email,
    password: PASSWORD,
    name: 'Wati',
    businessName: 'Warung Wati',
  })
  expect(answer.status).toBe(201)
  return { email, id: answer.data.user.id as string, api: clientOf(cookieOf(answer)) }
}

/** The path that the latest mail to an address links to, such as /password#token. */
async function latestLink(email: string, path: string): Promise<string> {
  const find = async () =>
    (await mailsTo(email)).flatMap((mail) => mail.match(new RegExp(`${path}#\\S+`)) ?? [])
  await expect.poll(async () => (await find()).length).toBeGreaterThan(0)
  return (await find()).at(-1) ?? ''
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

async function signIn(page: Page, email: string, password: string) {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByLabel('Kata sandi').fill(password)
  await button(page, 'Masuk').click()
}

async function switchOnSecondFactor({ api }: Awaited<ReturnType<typeof owner>>) {
  const { secret } = done(await api.post('/auth/second-factor', { currentPassword: PASSWORD }))
  const now = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.ms() })
  const { recoveryCodes } = done(await api.post('/auth/second-factor/confirm', { code: now() }))
  // The code of this half minute is used.
  clock.advance(30_000)
  return { now, recoveryCodes: recoveryCodes as string[] }
}

/** The browser finds this service by its public name too, to which the provider sends it back. */
const resolves = () => [
  `--host-resolver-rules=MAP ${new URL(PUBLIC_URL).hostname} ${new URL(address()).host}`,
]

describeInChromium(
  'the pages around signing in',
  (browser) => {
    const outside = () => visit(browser(), undefined, null)

    it('a forgotten password is replaced by the link of a mail, and the old one is refused', async () => {
      const { email } = await owner()
      const { page } = await outside()
      await page.goto(`${address()}/masuk`)
      await page.getByRole('link', { name: 'Lupa kata sandi?' }).click()
      await heading(page, 'Lupa kata sandi').waitFor()
      await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
      await button(page, 'Kirim tautan').click()
      await page.getByRole('status').getByText(email).waitFor()
      await page.goto(address() + (await latestLink(email, '/password')))
      await page.getByLabel('Kata sandi baru').fill('password123')
      await button(page, 'Simpan kata sandi').click()
      await page.getByRole('alert').getByText('Kata sandi ini mudah ditebak').waitFor()
      await page.getByLabel('Kata sandi baru').fill(NEXT)
      await button(page, 'Simpan kata sandi').click()
      await heading(page, 'Kata sandi tersimpan').waitFor()
      await page.getByRole('link', { name: 'Ke halaman masuk' }).click()
      await signIn(page, email, PASSWORD)
      await page.getByRole('alert').getByText('E-mail atau kata sandi salah').waitFor()
      await page.getByLabel('Kata sandi').fill(NEXT)
      await button(page, 'Masuk').click()
      await heading(page, 'Halo, Wati').waitFor()
    })

    it('an unknown address is answered like a known one', async () => {
      const { page } = await outside()
      await page.goto(`${address()}/lupa-kata-sandi`)
      await page.getByRole('textbox', { name: 'E-mail' }).fill('tidak-ada@example.com')
      await button(page, 'Kirim tautan').click()
      await heading(page, 'Periksa e-mail Anda').waitFor()
      expect(await mailsTo('tidak-ada@example.com')).toEqual([])
    })

    it('a link that has expired or is incomplete says so and offers another one', async () => {
      const { email } = await owner()
      done(await as(null).post('/auth/password/forgot', { email }))
      const link = await latestLink(email, '/password')
      clock.advance(HOUR + 1)
      const { page } = await outside()
      await page.goto(address() + link)
      await page.getByLabel('Kata sandi baru').fill(NEXT)
      await button(page, 'Simpan kata sandi').click()
      await page.getByRole('alert').getByText('kedaluwarsa').waitFor()
      await page.goto(`${address()}/verify`)
      await page.getByRole('link', { name: 'Masuk untuk meminta tautan baru' }).waitFor()
      await page.goto(`${address()}/password`)
      await page.getByRole('alert').getByText('Tautan ini tidak lengkap').waitFor()
      await page.getByRole('link', { name: 'Minta tautan baru' }).click()
      await heading(page, 'Lupa kata sandi').waitFor()
      const english = await visit(browser(), { ...DESKTOP, language: 'en' }, null)
      await english.page.goto(`${address()}/password#no-such-token`)
      await english.page.getByLabel('New password').fill(NEXT)
      await button(english.page, 'Save the password').click()
      await english.page.getByRole('alert').getByText('This link was used, has expired').waitFor()
    })

    it('a form keeps what was typed while the service is away', async () => {
      const { email } = await owner()
      done(await as(null).post('/auth/password/forgot', { email }))
      const { page, context } = await outside()
      await page.goto(address() + (await latestLink(email, '/password')))
      await page.getByLabel('Kata sandi baru').fill(NEXT)
      await context.setOffline(true)
      await button(page, 'Simpan kata sandi').click()
      await page.getByRole('alert').getByText('Layanan tidak menjawab').waitFor()
      await context.setOffline(false)
      await button(page, 'Simpan kata sandi').click()
      await heading(page, 'Kata sandi tersimpan').waitFor()
    })

    it('an address is confirmed by a button once, and a signed-in member gets another link', async () => {
      const { email, api } = await owner()
      const link = await latestLink(email, '/verify')
      const { page } = await outside()
      await page.goto(address() + link)
      await heading(page, 'Konfirmasi e-mail').waitFor()
      expect(done(await api.get('/auth/me')).user.emailVerifiedAt).toBeNull()
      await button(page, 'Konfirmasi e-mail ini').click()
      await heading(page, 'E-mail terkonfirmasi').waitFor()
      expect(done(await api.get('/auth/me')).user.emailVerifiedAt).not.toBeNull()
      await page.goto(`${address()}/masuk`)
      await page.goto(address() + link)
      await button(page, 'Konfirmasi e-mail ini').click()
      await page.getByRole('alert').getByText('sudah dipakai').waitFor()
      await page.getByRole('link', { name: 'Masuk untuk meminta tautan baru' }).click()
      const other = await owner()
      await signIn(page, other.email, PASSWORD)
      await heading(page, 'Halo, Wati').waitFor()
      const before = (await mailsTo(other.email)).length
      await page.goto(`${address()}/verify#abc`)
      await button(page, 'Konfirmasi e-mail ini').click()
      await button(page, 'Kirim tautan baru').click()
      await page.getByRole('status').getByText('Tautan baru sudah dikirim').waitFor()
      expect(await mailsTo(other.email)).toHaveLength(before + 1)
    })

    it('an invited member chooses a password and begins; the used link leads to the sign-in page', async () => {
      const { api } = await owner()
      const email = `undangan${(count += 1)}@example.com`
      done(await api.post('/members', { email, name: 'Dewi', role: 'CASHIER' }))
      const link = await latestLink(email, '/invitation')
      const { page } = await outside()
      await page.goto(address() + link)
      await page.getByLabel('Kata sandi').fill(NEXT)
      await button(page, 'Terima dan masuk').click()
      await page.getByRole('button', { name: 'Anggota Dewi' }).waitFor()
      await page.goto(address() + link)
      await page.getByLabel('Kata sandi').fill(PASSWORD)
      await button(page, 'Terima dan masuk').click()
      await page.getByRole('alert').getByText('Undangan ini sudah dipakai').waitFor()
      await page.getByRole('link', { name: 'Ke halaman masuk' }).click()
      await signIn(page, email, NEXT)
      await page.getByRole('button', { name: 'Anggota Dewi' }).waitFor()
    })

    it('a sign-in with a second factor refuses a wrong code and takes a recovery code', async () => {
      const person = await owner()
      const { now, recoveryCodes } = await switchOnSecondFactor(person)
      const { page } = await outside()
      await page.goto(`${address()}/masuk`)
      await signIn(page, person.email, PASSWORD)
      const code = page.getByRole('textbox', { name: 'Kode faktor kedua' })
      await code.fill(String((Number(now()) + 500_000) % 1_000_000).padStart(6, '0'))
      await button(page, 'Masuk').click()
      await page.getByRole('alert').getByText('Kode ini salah').waitFor()
      await button(page, 'Mulai lagi').click()
      await signIn(page, person.email, PASSWORD)
      await code.fill(recoveryCodes[0] ?? '')
      await button(page, 'Masuk').click()
      await heading(page, 'Halo, Wati').waitFor()
    })

    it('a member signs in on the page of the provider, with the code of a second factor if there is one', async () => {
      const person = await owner()
      await deps()
        .db.updateTable('members')
        .set({ emailVerifiedAt: clock.now() })
        .where('id', '=', person.id)
        .execute()
      provider.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) =>
        Object.assign(token.payload, { email: person.email, email_verified: true }, times()),
      )
      const { page } = await outside()
      await page.goto(`${PUBLIC_URL}/masuk?to=/stok`)
      await page.getByRole('link', { name: 'Masuk dengan akun perusahaan' }).click()
      await page.getByRole('button', { name: 'Anggota Wati' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/stok')
      const { now } = await switchOnSecondFactor(person)
      const second = await outside()
      await second.page.goto(`${PUBLIC_URL}/masuk?to=/stok`)
      await second.page.getByRole('link', { name: 'Masuk dengan akun perusahaan' }).click()
      await second.page.getByRole('textbox', { name: 'Kode faktor kedua' }).fill(now())
      await button(second.page, 'Masuk').click()
      await second.page.getByRole('button', { name: 'Anggota Wati' }).waitFor()
      expect(new URL(second.page.url()).pathname).toBe('/stok')
    })
  },
  resolves,
)

/** The provider's clock is this test's, which ran ahead. */
const times = () => ({ iat: Math.floor(clock.ms() / 1_000), exp: Math.floor(clock.ms() / 1_000) + 600 })
