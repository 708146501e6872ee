import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/platform/config/config.ts'

test('nothing set is a good configuration', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    publicUrl: null,
    databaseUrl: null,
    dataDir: './data',
    defaultTier: 'free',
    rateLimitPerMinute: 3000,
    trustProxy: 0,
    corsOrigins: [],
    secretsKey: null,
    env: 'production',
  })
})

test('blank reads as unset, and blanks around a value are nothing', () => {
  expect(readConfig({ PORT: ' ', HOST: '', DATABASE_URL: ' ', DEFAULT_TIER: ' growth ' })).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    databaseUrl: null,
    defaultTier: 'growth',
  })
})

test('every fault is reported at once, each with its variable', () => {
  const faulty = {
    PORT: '70000',
    DATABASE_URL: 'mysql://x',
    PUBLIC_URL: 'nonsense',
    LOG_LEVEL: 'loud',
    NODE_ENV: 'staging',
    DEFAULT_TIER: 'gold',
    RATE_LIMIT_PER_MINUTE: '-1',
    TRUST_PROXY: 'yes',
    DATABASE_POOL_SIZE: '1.5',
    SECRETS_KEY: 'c2hvcnQ=',
  }
  const told = (() => {
    try {
      readConfig(faulty)
      return 'accepted'
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError)
      return (error as Error).message
    }
  })()
  expect(
    told
      .split('\n')
      .map((line) => line.split(' ', 1)[0])
      .toSorted(),
  ).toEqual(Object.keys(faulty).toSorted())
})

test('a fault never prints the key of the secrets', () => {
  expect(() => readConfig({ SECRETS_KEY: 'c2hvcnQ=' })).toThrow(/SECRETS_KEY must be 32 bytes/)
  expect(() => readConfig({ SECRETS_KEY: 'c2hvcnQ=' })).not.toThrow(/c2hvcnQ=/)
})

test.each(['0x10', '1e3', '+5', '5.0', '', '３０００'].filter((text) => text !== ''))(
  'PORT=%s is no whole number',
  (text) => {
    expect(() => readConfig({ PORT: text })).toThrow(/PORT must be a whole number from 0 to 65535/)
  },
)

test('a fault never prints the password of the database', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://me:hidden@db/x' })).toThrow(/^DATABASE_URL must start/)
  expect(() => readConfig({ DATABASE_URL: 'mysql://me:hidden@db/x' })).not.toThrow(/hidden/)
})

test('origins are split at commas and kept as browsers send them', () => {
  const { corsOrigins } = readConfig({
    CORS_ORIGINS: ' https://a.test, https://B.test/ ,, http://localhost:5173,https://c.test:443',
  })
  expect(corsOrigins).toEqual(['https://a.test', 'https://b.test', 'http://localhost:5173', 'https://c.test'])
})

test.each([
  'foo',
  '*',
  'null',
  'dash.example',
  'https://',
  'https://dash.example/till',
  'https://dash.example//',
  'https://dash.example?x=1',
  'https://dash.example/#x',
  'https://me@dash.example',
  'ftp://dash.example',
  'https://good.example, bad',
])('CORS_ORIGINS=%s is no list of origins', (text) => {
  expect(() => readConfig({ CORS_ORIGINS: text })).toThrow(/^CORS_ORIGINS must list origins/)
})

test.each([
  ['', 0],
  ['0', 0],
  ['1', 1],
  ['2', 2],
  ['10.0.0.1', ['10.0.0.1']],
  ['loopback, 10.0.0.0/8,2001:db8::/32', ['loopback', '10.0.0.0/8', '2001:db8::/32']],
])('TRUST_PROXY=%s trusts %j', (text, expected) => {
  expect(readConfig({ TRUST_PROXY: text }).trustProxy).toEqual(expected)
})

test.each([
  'true',
  'yes',
  '-1',
  '11',
  '1.5',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0/8',
  '::/129',
  'proxy.local',
  '1,2',
])('TRUST_PROXY=%s stops the start', (text) => {
  expect(() => readConfig({ TRUST_PROXY: text })).toThrow(/^TRUST_PROXY must be the number of proxies/)
})

test.each(['foo', 'smtp:mail.example', 'smtp://', 'https://mail.example', 'smtp://a%zz:hidden@mail.example'])(
  'SMTP_URL=%s stops the start, and its password is not told',
  (text) => {
    expect(() => readConfig({ SMTP_URL: text })).toThrow(/^SMTP_URL must be a URL such as smtps:[^"]*$/)
  },
)

test('a mail server is kept as it was written', () => {
  const smtpUrl = 'smtps://till%40shop.example:p%40ss@[::1]:465/?tls.rejectUnauthorized=false'
  expect(readConfig({ SMTP_URL: smtpUrl, MAIL_FROM: 'a@b.test' })).toMatchObject({
    smtpUrl,
    mailFrom: 'a@b.test',
  })
  expect(() => readConfig({ MAIL_FROM: 'Kasir <a@b.test>' })).toThrow(/^MAIL_FROM must be an e-mail address/)
})

const PROVIDER = {
  IDP_ISSUER: 'https://id.example/realms/shop',
  IDP_AUDIENCE: 'kasir',
  IDP_JWKS_URL: 'http://keycloak:8080/realms/shop/protocol/openid-connect/certs',
}

test('an identity provider is known by all three of its settings', () => {
  expect(readConfig(PROVIDER)).toMatchObject({
    idpIssuer: 'https://id.example/realms/shop',
    idpAudience: 'kasir',
    idpJwksUrl: 'http://keycloak:8080/realms/shop/protocol/openid-connect/certs',
  })
  expect(readConfig({})).toMatchObject({ idpIssuer: null, idpAudience: null, idpJwksUrl: null })
})

test.each([
  [['IDP_JWKS_URL'], 'IDP_JWKS_URL must be set too'],
  [['IDP_ISSUER'], 'IDP_ISSUER must be set too'],
  [['IDP_ISSUER', 'IDP_AUDIENCE'], 'IDP_ISSUER and IDP_AUDIENCE must be set too'],
] as const)('an identity provider without %j stops the start with one line', (missing, told) => {
  const env = Object.fromEntries(
    Object.entries(PROVIDER).filter(([name]) => !missing.some((gone) => gone === name)),
  )
  expect(() => readConfig(env)).toThrow(
    new ConfigError(`${told}: IDP_ISSUER, IDP_AUDIENCE, IDP_JWKS_URL are all set, or none`),
  )
})

test.each([
  'id.example/jwks.json',
  'ftp://id.example/jwks.json',
  'https://me:secret@id.example/',
  'https:/id.example',
])('IDP_JWKS_URL=%s stops the start', (url) => {
  expect(() => readConfig({ ...PROVIDER, IDP_JWKS_URL: url })).toThrow(/^IDP_JWKS_URL must be a URL such as /)
})

const held = (name: string, content: string) => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'kasir-config-')), name)
  writeFileSync(file, content)
  return file
}

test('a secret setting may come from a file, as containers hand secrets over', () => {
  const key = Buffer.alloc(32, 7).toString('base64')
  const { databaseUrl, secretsKey } = readConfig({
    DATABASE_URL_FILE: held('url', 'postgres://kasir:hidden@db/kasir\n'),
    SECRETS_KEY_FILE: held('key', `${key}\n`),
  })
  expect([databaseUrl, secretsKey]).toEqual(['postgres://kasir:hidden@db/kasir', key])
  expect(readConfig({ SECRETS_KEY: key, SECRETS_KEY_FILE: '' }).secretsKey).toBe(key)
})

test('a secret that is given twice, that is missing or empty, or that is wrong is a fault that does not print it', () => {
  const file = held('url', 'mysql://me:hidden@db/x')
  const empty = held('empty', '\n')
  const told = (env: Record<string, string>) => {
    expect(() => readConfig(env)).toThrow(ConfigError)
    try {
      return readConfig(env)
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(told({ DATABASE_URL: 'postgres://a/b', DATABASE_URL_FILE: file })).toBe(
    'DATABASE_URL and DATABASE_URL_FILE are both set: keep one of them',
  )
  expect(told({ SMTP_URL_FILE: '/nowhere/smtp' })).toBe('SMTP_URL cannot be read from /nowhere/smtp (ENOENT)')
  expect(told({ SECRETS_KEY_FILE: empty })).toBe(
    `SECRETS_KEY is empty: SECRETS_KEY_FILE names ${empty}, and nothing is in it`,
  )
  expect(told({ DATABASE_URL_FILE: file })).toBe('DATABASE_URL must start with postgres: or postgresql:')
})

test('a setting that is no secret is not read from a file', () => {
  expect(readConfig({ PORT_FILE: held('port', '8080') }).port).toBe(3000)
})

test.each([
  [{ READ_REPLICA_URL: 'standby' }, /READ_REPLICA_URL must be a URL \(postgres: or postgresql:\)/],
  [{ READ_REPLICA_URL: 'postgres://b/kasir' }, /DATABASE_URL must be set too: READ_REPLICA_URL is a standby/],
  [
    { DATABASE_URL: 'postgres://me@a/kasir', READ_REPLICA_URL: 'postgres://other@a:5432/kasir' },
    /READ_REPLICA_URL and DATABASE_URL must differ/,
  ],
  [
    {
      DATABASE_URL: 'postgres://pooler/kasir',
      LISTEN_URL: 'postgres://a/kasir',
      READ_REPLICA_URL: 'postgres://a/kasir',
    },
    /READ_REPLICA_URL and LISTEN_URL must differ/,
  ],
  [{ READ_REPLICA_MAX_LAG: '1' }, /READ_REPLICA_MAX_LAG must be a whole number from 2 to 86400/],
])('a read replica that is none is refused: %o', (env, refusal) => {
  expect(() => readConfig(env)).toThrow(refusal)
})

test('a read replica may be another port or another socket of the same machine', () => {
  const at = (from: string, replica: string) =>
    readConfig({ DATABASE_URL: from, READ_REPLICA_URL: replica }).readReplicaUrl
  expect(at('postgres://a/kasir', 'postgres://a:5433/kasir')).toBe('postgres://a:5433/kasir')
  const [one, two] = ['postgres://localhost/kasir?host=/run/1', 'postgres://localhost/kasir?host=/run/2']
  expect(at(one, two)).toBe(two)
})
