import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isSealed,
  type RecordLocation,
  randomToken,
  secretsOf,
  sha256,
} from '../../src/platform/secrets/secrets.ts'

const secrets = secretsOf(randomBytes(32))
const place: RecordLocation = { table: 'mails', column: 'body', accountId: 'acc_A', row: 'mal_1' }

test('what is sealed opens again in its place, and in no other workspace, row or table', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (text, accountId, row) => {
      const here = { ...place, accountId, row }
      const sealed = secrets.seal(text, here)
      expect(isSealed(sealed)).toBe(true)
      expect(secrets.open(sealed, here)).toBe(text)
      expect(() => secrets.open(sealed, { ...here, row: `${row}x` })).toThrow()
      expect(() => secrets.open(sealed, { ...here, accountId: `${accountId}x` })).toThrow()
      expect(() => secrets.open(sealed, { ...here, table: 'idempotency_keys' })).toThrow()
    }),
  )
})

test('a text does not open where another split of workspace and row reads the same', () => {
  const sealed = secrets.seal('text', { ...place, accountId: 'acc_A b', row: 'c' })
  expect(() => secrets.open(sealed, { ...place, accountId: 'acc_A', row: 'b c' })).toThrow()
})

test('the same text is sealed differently each time, and shows nothing of itself', () => {
  const [one, two] = [secrets.seal('kasir_sk_secret', place), secrets.seal('kasir_sk_secret', place)]
  expect(one).not.toBe(two)
  expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('secret')
})

test('a changed byte, another key or the name of another key opens nothing', () => {
  const sealed = secrets.seal('text', place)
  const head = `sealed.v2.${secrets.keyId}.`
  expect(sealed.startsWith(head)).toBe(true)
  const bytes = Buffer.from(sealed.slice(head.length), 'base64url')
  for (const index of [0, 12, 28, bytes.length - 1]) {
    const altered = Buffer.from(bytes)
    altered[index] = (altered[index] ?? 0) ^ 1
    expect(() => secrets.open(head + altered.toString('base64url'), place)).toThrow()
  }
  for (let length = 0; length < bytes.length; length += 1) {
    expect(() => secrets.open(head + bytes.subarray(0, length).toString('base64url'), place)).toThrow()
  }
  const other = secretsOf(randomBytes(32))
  expect(() => other.open(sealed, place)).toThrow(`not sealed with the key ${other.keyId}`)
  expect(() => other.open(sealed.replace(secrets.keyId, other.keyId), place)).toThrow()
  expect(() => secrets.open('sealed.v1.', place)).toThrow()
})

/** Made by the versions that wrote them, with the key of 32 bytes 5: neither may ever fail to open. */
const FIVES = secretsOf(Buffer.alloc(32, 5))
const REPLY: RecordLocation = {
  table: 'idempotency_keys',
  column: 'body',
  accountId: 'acc_A',
  row: 'till-1-0001',
}

test.each([
  ['v1', 'sealed.v1.DlWSxfHZPXI1n_0mnKAfTzvaGrKQSC0RD8zdLf4RcIzykJaGRwDfunmPC4kaZQ'],
  ['v2', 'sealed.v2.d72dfea098e612c3.bYIRsuu-bUwBLpOJzJgswe2SivjVrQFpIcTczMP2fc7XAmtklvcY8x7nIV_iJg'],
])('a text that was sealed as %s opens', (_, sealed) => {
  expect(isSealed(sealed)).toBe(true)
  expect(FIVES.open(sealed, REPLY)).toBe('kasir_sk_gula aren')
})

test('a key is known by an id and a check value, and signs under a key of each purpose', () => {
  // Worked out with another implementation of RFC 5869 and RFC 2104.
  expect(FIVES.keyId).toBe('d72dfea098e612c3')
  expect(FIVES.checkValue).toBe('GU0xJIQQuHT5Tbcj8TOo2YayaUpcORXZ0QtsewG5NQY')
  expect(FIVES.sign('device', 'usr_A')).toBe('Q6HnBmhxv3E5V00yIrS5VN7z_KpHZD5TbZROZjGAI5U')
  expect(FIVES.sign('webhook', 'usr_A')).not.toBe(FIVES.sign('device', 'usr_A'))
})

test('tokens are 256 bits of text that needs no escaping, and only their hash is kept', () => {
  expect(randomToken()).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(sha256('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
})
