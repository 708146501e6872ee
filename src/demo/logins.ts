import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { orNull } from '../platform/db/embedded/fault.ts'
import { makeDirectory } from '../platform/directory.ts'
import type { Bookmark } from './days.ts'
import type { Inventory } from './furnish.ts'

/**
 * How to sign in to a demo workspace that was made from here. `apiKey` is the newest one, null until there is one.
 * `isReady` turns true when the whole story has been told: an interrupted run leaves it false.
 */
export type KnownLogin = {
  email: string
  password: string
  apiKey: string | null
  isReady: boolean
  /** Where to continue, as long as the story rests between two days. */
  story?: OpenStory | undefined
}

/** All that an interrupted story needs to continue as if nothing had happened. */
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
  const text = await orNull(readFile(fileIn(dataDir), 'utf8'))
  return text === null ? [] : (JSON.parse(text) as KnownLogin[])
}

export const findLogin = async (dataDir: string, email: string): Promise<KnownLogin | undefined> =>
  (await findLogins(dataDir)).find((login) => login.email === email)

/** Kept beside the secrets key with the same mode: the service itself stores no password and no key in clear. */
export async function keepLogin(dataDir: string, login: KnownLogin) {
  await makeDirectory(dataDir)
  const others = (await findLogins(dataDir)).filter(({ email }) => email !== login.email)
  const file = fileIn(dataDir)
  await writeFile(`${file}.new`, `${JSON.stringify([...others, login], null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}
