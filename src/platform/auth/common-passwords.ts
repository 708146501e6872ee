import { invalid } from '../../core/errors.ts'

/** Shorter ones are refused by their length. */
const MIN_LENGTH = 8

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const words = dictionary['passwords-common'] as readonly string[]
  return new Set(words.filter((word) => word.length >= MIN_LENGTH))
}

/** Read when the first password is set: 18,000 words that a till which only sells never needs. */
let list: Promise<ReadonlySet<string>> | undefined

function listed(): Promise<ReadonlySet<string>> {
  list ??= load().catch((error: unknown) => {
    list = undefined
    throw error
  })
  return list
}

/** 422 for a password that guessers try first (B-password-5; NIST 800-63B), whatever its case and the spaces around it. */
export async function requireUncommon(password: string) {
  const words = await listed()
  if (!words.has(password.trim().toLowerCase())) return
  throw invalid(
    'password',
    'Too many people use this password, so it is guessed first; choose another one, such as three or four words that do not belong together',
  )
}
