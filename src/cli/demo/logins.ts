import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { orNull } from '../../platform/db/embedded/fault.ts'

/**
 * How to sign in to a demo workspace that was made from here. `apiKey` is the newest one, null until there is one.
 * `isReady` turns true when the whole story has been told: a run that broke off leaves it false.
 */
export type KnownLogin = { email: string; password: string; apiKey: string | null; isReady: boolean }

const fileIn = (dataDir: string) => path.join(dataDir, 'demo-logins.json')

async function readLogins(dataDir: string): Promise<KnownLogin[]> {
  const text = await orNull(readFile(fileIn(dataDir), 'utf8'))
  return text === null ? [] : (JSON.parse(text) as KnownLogin[])
}

export const findLogin = async (dataDir: string, email: string): Promise<KnownLogin | undefined> =>
  (await readLogins(dataDir)).find((login) => login.email === email)

/** Kept beside the secrets key with the same mode: the service itself stores no password and no key in clear. */
export async function keepLogin(dataDir: string, login: KnownLogin) {
  await mkdir(dataDir, { recursive: true })
  const others = (await readLogins(dataDir)).filter(({ email }) => email !== login.email)
  const file = fileIn(dataDir)
  await writeFile(`${file}.new`, `${JSON.stringify([...others, login], null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}
