import { invalid } from '../../core/errors.ts'

/** Shorter passwords are rejected by their length. */
const MIN_LENGTH = 8

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const words = dictionary['passwords-common'] as readonly string[]
  return new Set(words.filter((word) => word.length >= MIN_LENGTH))
}

/** Loaded when the first password is set: a process that only sells never needs these 18,000 words. */
let list: Promise<ReadonlySet<string>> | undefined

function listed(): Promise<ReadonlySet<string>> {
  list ??= load().catch((error: unknown) => {
    list = undefined
    throw error
  })
  return list
}

/** Throws 422 for a common password, ignoring case and surrounding spaces (B-password-5; NIST 800-63B). */
export async function requireUncommon(password: string) {
  const words = await listed()
  if (!words.has(password.trim().toLowerCase())) return
  throw invalid(
    'password',
    'Too many people use this password, so it is guessed first; choose another one, such as three or four words that do not belong together',
  )
}
