import { dictionary } from '@zxcvbn-ts/language-common'
import { expect, test } from 'vitest'
import { EXAMPLES } from '../../../../src/document/examples.ts'
import { requireUncommon } from '../../../../src/platform/auth/common-passwords.ts'
import { browser, cookieOf, ownerOf } from '../../../support/clients.ts'
import { mailsTo } from '../../../support/mails.ts'
import { acme, as, useService } from '../../../support/service.ts'

useService()

const PASSWORD = 'nasi goreng pedas'
const COMMON = 'Password123'
let count = 0
const address = () => `umum${(count += 1)}@example.com`
const tokenFor = async (email: string) => {
  const own = (await mailsTo(email)).join('\n')
  return /(?:password|invitation)#(\S+)/.exec(own)?.[1] ?? ''
}

test('a common password is refused wherever a password is set, and the next attempt is served', async () => {
  const email = address()
  const signUp = (password: string) => as(null).post('/auth/signup', { email, password })
  const api = async () => browser(cookieOf(await as(null).post('/auth/login', { email, password: PASSWORD })))
  const change = async (password: string) =>
    (await api()).post('/auth/password', { currentPassword: PASSWORD, password })
  const reset = async (password: string) =>
    as(null).post('/auth/password/reset', { token: await tokenFor(email), password })
  const guest = address()
  const accept = async (password: string) =>
    as(null).post('/auth/invitations/accept', { token: await tokenFor(guest), password })
  const colleague = address()
  const add = (password: string) =>
    acme().post('/members', { email: colleague, name: 'Ani', role: 'CASHIER', password })
  const patch = async (password: string) => {
    const { members } = (await acme().get('/members')).data
    const { id } = members.find((member: { email: string }) => member.email === colleague)
    return (await ownerOf(acme())).patch(`/members/${id}`, { password })
  }
  const ways: [name: string, set: (password: string) => Promise<{ status: number; error: unknown }>][] = [
    ['sign-up', signUp],
    ['reset', reset],
    ['change', change],
    ['invitation', accept],
    ['new member', add],
    ['member', patch],
  ]
  for (const [name, set] of ways) {
    if (name === 'reset') await as(null).post('/auth/password/forgot', { email })
    if (name === 'invitation') await acme().post('/members', { email: guest, name: 'Tamu', role: 'CASHIER' })
    const refused = await set(COMMON)
    expect([name, refused.status, refused.error]).toEqual([
      name,
      422,
      {
        code: 'VALIDATION_ERROR',
        param: 'password',
        message:
          'Too many people use this password, so it is guessed first; choose another one, such as three or four words that do not belong together',
      },
    ])
    expect([name, (await set(PASSWORD)).status < 300]).toEqual([name, true])
  }
})

test.each([
  '12345678',
  'password',
  'PASSWORD',
  'Password1',
  ' iloveyou ',
  'qwertyuiop',
  '1q2w3e4r',
  '11111111',
])('%s is refused', async (password) => {
  await expect(requireUncommon(password)).rejects.toMatchObject({ status: 422, param: 'password' })
})

test('the 10,000 commonest passwords are refused, those that are too short by their length', async () => {
  const words = (dictionary['passwords-common'] as string[]).slice(0, 10_000)
  expect(words).toHaveLength(10_000)
  for (const word of words.filter(({ length }) => length >= 8)) {
    await expect(requireUncommon(word)).rejects.toMatchObject({ status: 422 })
  }
})

test('no password of the documentation is a common one', async () => {
  const passwords = Object.values(EXAMPLES).flatMap(({ password }) =>
    typeof password === 'string' ? [password] : [],
  )
  expect(passwords.length).toBeGreaterThan(3)
  for (const password of passwords) await requireUncommon(password)
})
