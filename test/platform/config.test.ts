import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/platform/config.ts'

test('nothing set is a good configuration', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    publicUrl: null,
    databaseUrl: null,
    dataDir: './data',
    defaultTier: 'free',
    rateLimitPerMinute: 3000,
    trustProxy: false,
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

test('every fault is told at once, each with its variable', () => {
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

test('lists are split at commas', () => {
  expect(readConfig({ CORS_ORIGINS: ' https://a.test, https://b.test ,,' }).corsOrigins).toEqual([
    'https://a.test',
    'https://b.test',
  ])
})
