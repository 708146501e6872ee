import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueCertificate, openAuthority } from '../../src/cli/authority.ts'
import { addMs } from '../../src/core/time.ts'
import { kasir } from '../support/kasir.ts'

let dir = ''
const file = (name: string) => path.join(dir, name)

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'kasir-tls-'))
  const authority = await openAuthority(null)
  const long = addMs(new Date().toISOString(), -500 * 24 * 3_600_000)
  const soonOver = addMs(new Date().toISOString(), -390 * 24 * 3_600_000)
  const later = addMs(new Date().toISOString(), 30 * 24 * 3_600_000)
  const [good, other, expired, early, soon] = await Promise.all([
    issueCertificate(authority, ['pos.example']),
    issueCertificate(authority, ['pos.example']),
    issueCertificate(authority, ['pos.example'], long),
    issueCertificate(authority, ['pos.example'], later),
    issueCertificate(authority, ['pos.example'], soonOver),
  ])
  for (const [name, pair] of Object.entries({ good, other, expired, early, soon })) {
    await writeFile(file(`${name}.crt`), pair.cert)
    await writeFile(file(`${name}.key`), pair.key)
  }
  await writeFile(file('text.crt'), 'not a certificate\n')
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const serve = (settings: Record<string, string>) =>
  kasir(['serve'], { DATA_DIR: file('data'), PUBLIC_URL: 'https://pos.example', ...settings })
const pair = (cert: string, key: string) => ({ TLS_CERT: file(cert), TLS_KEY: file(key) })

test.each([
  [
    'a path that is not there',
    'none.crt',
    'good.key',
    /TLS_CERT names .*none\.crt, which cannot be read \(ENOENT\)/,
  ],
  [
    'a key that is not there',
    'good.crt',
    'none.key',
    /TLS_KEY names .*none\.key, which cannot be read \(ENOENT\)/,
  ],
  ['a file that is no certificate', 'text.crt', 'good.key', /TLS_CERT .* holds no certificate in PEM form/],
  ['a file that is no key', 'good.crt', 'text.crt', /TLS_KEY .* holds no private key in PEM form/],
  [
    'the key of another certificate',
    'good.crt',
    'other.key',
    /is not the key of the certificate in TLS_CERT/,
  ],
  ['an expired certificate', 'expired.crt', 'expired.key', /expired on \d{4}-\d\d-\d\d: renew it/],
  [
    'a certificate of the future',
    'early.crt',
    'early.key',
    /is valid from \d{4}-\d\d-\d\d on: check the clock/,
  ],
])('the service refuses %s with one sentence', async (_what, cert, key, sentence) => {
  const { code, out, err } = await serve(pair(cert, key))
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(sentence)
  expect(err.trim().split('\n')).toHaveLength(1)
})

test('the service refuses a certificate for another host than PUBLIC_URL', async () => {
  const { code, err } = await serve({ ...pair('good.crt', 'good.key'), PUBLIC_URL: 'https://kasir.example' })
  expect(code).toBe(1)
  expect(err).toMatch(/is for DNS:pos\.example, but PUBLIC_URL names kasir\.example/)
})

test.each([
  [{ TLS_CERT: 'a.crt' }, 'TLS_KEY must be set too'],
  [
    { TLS_CERT: 'a.crt', TLS_KEY: 'a.key', PUBLIC_URL: 'http://pos.example' },
    'PUBLIC_URL must be set too, to the https',
  ],
])('TLS settings that are set in part are refused', async (settings, sentence) => {
  const { code, err } = await serve(settings)
  expect([code === 0, err.includes(sentence)]).toEqual([false, true])
})

test('kasir doctor warns of a certificate that expires in a week', async () => {
  const env = { DATA_DIR: file('data'), PUBLIC_URL: 'https://pos.example', PORT: '0' }
  const { out } = await kasir(['doctor'], { ...env, ...pair('soon.crt', 'soon.key') })
  expect(out).toMatch(/certificate +it expires on \d{4}-\d\d-\d\d, in [67] days; then no till can connect/)
})

test('kasir tls refuses what is no host', async () => {
  const { code, err } = await kasir(['tls', 'https://kasir.lan'], { DATA_DIR: file('data') })
  expect([code, err]).toEqual([
    2,
    '"https://kasir.lan" is neither a host name such as kasir.lan nor an IP address\nSee kasir --help\n',
  ])
})

test('kasir tls makes a new authority where an interrupted run left only the key of one', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'kasir-authority-'))
  try {
    expect((await kasir(['tls', 'kasir.lan'], { DATA_DIR: home })).code).toBe(0)
    await rm(path.join(home, 'tls', 'authority.crt'))
    const { code, out, err } = await kasir(['tls', 'kasir.lan'], { DATA_DIR: home })
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('Install the authority on each tablet')
    expect(await readdir(path.join(home, 'tls'))).toContain('authority.crt')
  } finally {
    await rm(home, { recursive: true, force: true })
  }
})

test('the authority of a shop is never replaced because its key is kept elsewhere', async () => {
  const home = file('without-key')
  const run = () => kasir(['tls', 'kasir.lan'], { DATA_DIR: home })
  const contents = async () => {
    const names = (await readdir(path.join(home, 'tls'))).toSorted()
    return Promise.all(
      names.map(async (name) => [name, await readFile(path.join(home, 'tls', name), 'utf8')]),
    )
  }
  expect((await run()).code).toBe(0)
  const key = path.join(home, 'tls', 'authority.key')
  const kept = await readFile(key)
  await rm(key)
  const before = await contents()
  const { code, err } = await run()
  expect([code, err]).toEqual([2, expect.stringContaining(`${key} is missing: put it back, or remove `)])
  expect(await contents()).toEqual(before)
  await writeFile(key, kept)
  expect((await run()).out).toContain('trust this certificate as well')
})
