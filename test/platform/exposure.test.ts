import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pino from 'pino'
import { expect, test } from 'vitest'
import { startService } from '../../src/main.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { network } from '../../src/platform/doctor/machine.ts'
import { exposures } from '../../src/platform/exposure.ts'
import { cloneDatabase } from '../support/db.ts'
import { startHarness } from '../support/service.ts'

const OPEN = 'without encryption'
const ONE_ADDRESS = 'count as one address'
const FORGED_KEYS = 'substitute keys'
const idp = (IDP_JWKS_URL: string) => ({
  IDP_ISSUER: 'https://id.example',
  IDP_AUDIENCE: 'kasir',
  IDP_JWKS_URL,
})

test.each([
  [{}, []],
  [{ HOST: '127.0.0.2' }, []],
  [{ HOST: 'localhost' }, []],
  [{ HOST: '::1' }, []],
  [{ HOST: '::ffff:127.0.0.1' }, []],
  [{ HOST: '0.0.0.0' }, [OPEN]],
  [{ HOST: '::' }, [OPEN]],
  [{ HOST: '203.0.113.7' }, [OPEN]],
  [{ HOST: '192.168.1.5' }, [OPEN]],
  [{ HOST: '127.example' }, [OPEN]],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'http://pos.example' }, [OPEN]],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://pos.example', TRUST_PROXY: '1' }, []],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://pos.example', TRUST_PROXY: '10.0.0.5' }, []],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://pos.example' }, [ONE_ADDRESS]],
  [{ PUBLIC_URL: 'HTTPS://pos.example' }, [ONE_ADDRESS]],
  [{ PUBLIC_URL: 'http://127.0.0.1:3000' }, []],
  [idp('https://id.example/jwks.json'), []],
  [idp('http://127.0.0.1:8080/jwks.json'), []],
  [idp('http://[::1]:8080/jwks.json'), []],
  [idp('http://id.example/jwks.json'), [FORGED_KEYS]],
  [idp('http://keycloak:8080/jwks.json'), [FORGED_KEYS]],
])('doctor says of %j what it leaves open: %j', (env, expected) => {
  const config = readConfig(env)
  expect(exposures(config)).toEqual(
    expected.map((found) => ({ found: expect.stringContaining(found), remedy: expect.any(String) })),
  )
  expect(network(config).map(({ state }) => state)).toEqual(
    expected.length === 0 ? ['ok'] : expected.map(() => 'warn'),
  )
})

test('a start that lets other machines in without encryption says so', async () => {
  const database = await cloneDatabase()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kasir-exposed-'))
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    ALLOW_UNSAFE_DATABASE: '1',
  }
  const warned = async (host: string) => {
    const said: string[] = []
    const service = await startService(readConfig({ ...env, HOST: host }), { say: (line) => said.push(line) })
    await service.stop()
    return said.filter((line) => line.startsWith('Warning: '))
  }
  try {
    expect(await warned('127.0.0.1')).toEqual([])
    expect(await warned('0.0.0.0')).toEqual([
      expect.stringContaining('HOST 0.0.0.0 lets other machines in without encryption'),
    ])
  } finally {
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

/** A service whose log is kept; answers the warnings that tell of a header nobody reads. */
async function logging(
  env: Record<string, string>,
  work: (
    ask: (headers: Record<string, string>) => Promise<unknown>,
    told: () => unknown[],
    clock: ReturnType<typeof manualClock>,
  ) => Promise<void>,
) {
  const lines: { msg: string; peer?: string; header?: string }[] = []
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
  const clock = manualClock('2026-11-21T03:00:00.000Z')
  const { harness, stop } = await startHarness({ env, log, clock })
  const told = () =>
    lines.filter(({ msg }) => msg.includes(ONE_ADDRESS)).map(({ peer, header }) => ({ peer, header }))
  try {
    await work((headers) => harness.as(null).get('/health', { headers }), told, clock)
  } finally {
    await stop()
  }
}
const FROM = { 'x-forwarded-for': '203.0.113.9' }

test('a forwarded request from a peer that is not trusted is warned of, once an hour', () =>
  logging({}, async (ask, told, clock) => {
    await ask({})
    expect(told()).toEqual([])
    for (let n = 0; n < 20; n += 1) await ask({ 'x-forwarded-for': `203.0.113.${n}` })
    expect(told()).toEqual([{ peer: '127.0.0.1', header: 'x-forwarded-for' }])
    clock.advance(3_599_999)
    await ask(FROM)
    expect(told()).toHaveLength(1)
    clock.advance(1)
    await ask(FROM)
    expect(told()).toHaveLength(2)
  }))

test('a header that is not read is warned of by its name, from a proxy that is trusted as well', () =>
  logging({ TRUST_PROXY: '1' }, async (ask, told) => {
    await ask({ ...FROM, forwarded: 'for=203.0.113.9' })
    expect(told()).toEqual([])
    await ask({ forwarded: 'for=203.0.113.9' })
    expect(told()).toEqual([{ peer: '127.0.0.1', header: 'forwarded' }])
  }))

test.each([
  ['loopback', 0],
  ['127.0.0.1', 0],
  ['10.0.0.0/8', 1],
])(
  'of a forwarded request from this machine with TRUST_PROXY=%s there are %i warnings',
  (trustProxy, warnings) =>
    logging({ TRUST_PROXY: trustProxy }, async (ask, told) => {
      await ask(FROM)
      expect(told()).toHaveLength(warnings)
    }),
)
