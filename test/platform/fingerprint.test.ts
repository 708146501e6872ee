import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { fingerprintOf, passwordsOmitted } from '../../src/platform/http/fingerprint.ts'

const Password = Type.String({ format: 'password' })

test('passwords are left out wherever they lie: in a field, in a list, in one of several shapes', () => {
  const omit = passwordsOmitted(
    Type.Object({
      name: Type.String(),
      password: Type.Optional(Password),
      inner: Type.Object({ server: Type.Object({ user: Type.String(), password: Password }) }),
      members: Type.Array(Type.Object({ email: Type.String(), password: Type.Optional(Password) })),
      either: Type.Union([Type.Null(), Type.Object({ password: Password, kind: Type.String() })]),
      past: Type.Array(Password),
    }),
  )
  const body = {
    name: 'Siti',
    password: 'one',
    inner: { server: { user: 'kasir', password: 'two' } },
    members: [{ email: 'a@example.com', password: 'three' }, { email: 'b@example.com' }],
    either: { password: 'four', kind: 'smtp' },
    past: ['five', 'six'],
  }
  const before = structuredClone(body)
  const left = omit?.(body)
  expect(JSON.parse(JSON.stringify(left))).toEqual({
    name: 'Siti',
    inner: { server: { user: 'kasir' } },
    members: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
    either: { kind: 'smtp' },
    past: [null, null],
  })
  expect(body).toEqual(before)
  const another = { ...body, password: 'other', past: ['x', 'y'] }
  expect(fingerprintOf('POST', '/a', omit?.(another))).toBe(fingerprintOf('POST', '/a', left))
})

test('a shape without a password is hashed as it is', () => {
  expect(passwordsOmitted(Type.Object({ note: Type.String() }))).toBeNull()
})

test('method, path and every value distinguish two requests, the order of fields does not', () => {
  const one = fingerprintOf('POST', '/sales', { a: 1, b: { c: [1, 2], d: null } })
  expect(fingerprintOf('POST', '/sales', { b: { d: null, c: [1, 2] }, a: 1 })).toBe(one)
  expect(fingerprintOf('PUT', '/sales', { a: 1, b: { c: [1, 2], d: null } })).not.toBe(one)
  expect(fingerprintOf('POST', '/sale', { a: 1, b: { c: [1, 2], d: null } })).not.toBe(one)
  expect(fingerprintOf('POST', '/sales', { a: '1', b: { c: [1, 2], d: null } })).not.toBe(one)
  expect(fingerprintOf('POST', '/sales', { a: 1, b: { c: [2, 1], d: null } })).not.toBe(one)
})
