import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { nullOnCodes } from '../core/fault.ts'
import { makeDirectory } from '../platform/files/directory.ts'
import type { Bookmark } from './days.ts'
import type { Inventory } from './furnish.ts'

/**
 * Sign-in data of a demo workspace created from this machine. `apiKey` is the newest one, null until there is one.
 * `isReady` becomes true when the story is complete; an interrupted run leaves it false.
 */
export type KnownLogin = {
  email: string
  password: string
  apiKey: string | null
  isReady: boolean
  /** Where to resume; set only between two days. */
  story?: OpenStory | undefined
}

/** Everything that an interrupted story needs to resume exactly where it stopped. */
export type OpenStory = {
  firstDay: string
  days: number
  until: string
  share: number
  bookmark: Bookmark
  inventory: Inventory
}

const fileIn = (dataDir: string) => path.join(dataDir, 'demo-logins.json')

export async function findLogins(dataDir: string): Promise<KnownLogin[]> {
  const text = await nullOnCodes(readFile(fileIn(dataDir), 'utf8'))
  return text === null ? [] : (JSON.parse(text) as KnownLogin[])
}

export const findLogin = async (dataDir: string, email: string): Promise<KnownLogin | undefined> =>
  (await findLogins(dataDir)).find((login) => login.email === email)

/** Stored beside the secrets key with the same mode: the service itself stores no password or key in plain text. */
export async function saveLogin(dataDir: string, login: KnownLogin) {
  await makeDirectory(dataDir)
  const others = (await findLogins(dataDir)).filter(({ email }) => email !== login.email)
  const file = fileIn(dataDir)
  await writeFile(`${file}.new`, `${JSON.stringify([...others, login], null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}
