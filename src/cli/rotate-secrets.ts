import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemCode } from '../core/fault.ts'
import type { Say } from '../main.ts'
import type { Deps } from '../platform/deps.ts'
import { keyFileIn, replaceKeyFile, requireSavedKey, saveKey } from '../platform/secrets/key-file.ts'
import {
  adoptKey,
  announceKey,
  dropKey,
  findRotation,
  type Rotation,
  resealAll,
  retireKey,
} from '../platform/secrets/rotation.ts'
import { keyOf, type SecretKey, secretsOf } from '../platform/secrets/secrets.ts'
import { command, dataDirArg, say, UsageError } from './command.ts'
import { inInstallation } from './operator.ts'

/** By then every running process has checked the key twice. */
const LOOKED_MS = 12_000

export const rotateSecrets = command({
  name: 'rotate-secrets',
  description: 'Replace the key that encrypts secrets, while the service runs',
  args: {
    'key-file': {
      type: 'string',
      valueHint: 'path',
      description: 'The new key, 32 bytes in base64. Required if SECRETS_KEY is set, otherwise generated',
    },
    forget: {
      type: 'boolean',
      description: 'Forget the old key immediately instead of in an hour; its delegation tokens stop working',
    },
    ...dataDirArg,
  },
  environment: ['dataDir', 'databaseUrl', 'listenUrl', 'secretsKey'],
  examples: [
    ['kasir rotate-secrets', 'with the key in secrets.key, which is written anew'],
    [
      'openssl rand -base64 32 > next.key && kasir rotate-secrets --key-file next.key',
      'where SECRETS_KEY is set; set it to the new key before the next start',
    ],
    ['kasir rotate-secrets --forget', 'when the old key has leaked'],
  ],
  run: async ({ 'key-file': file, forget = false, ...options }) => {
    const given = file === undefined ? null : await keyIn(file)
    await inInstallation(options, say, (deps) => rotate(deps, given, { forget, say }))
  },
})

async function keyIn(file: string): Promise<SecretKey> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read (${systemCode(error)})`)
  })
  const key = keyOf(text)
  if (key === null)
    throw new UsageError(
      `${file} contains no key. A key is 32 bytes in base64, such as from "openssl rand -base64 32"`,
    )
  return secretsOf(key)
}

/** `waitMs`: how long every running process may take to check the key twice. */
export async function rotate(
  deps: Deps,
  given: SecretKey | null,
  { forget, waitMs = LOOKED_MS, say }: { forget: boolean; waitMs?: number; say: Say },
) {
  const rotation = await beginOrContinue(deps, given, say)
  if (rotation.isCurrent && rotation.forgetAt !== null && !forget) {
    say(`The key is ${rotation.to.keyId} already; the previous key is forgotten at ${rotation.forgetAt}.`)
    say('Run this again after that for another key, or with --forget to forget it now.')
    return
  }
  if (!rotation.isCurrent) {
    say('Waiting until every process has the new key …')
    await sleep(waitMs)
    await adoptKey(deps, rotation)
  }
  await deps.secrets.refresh()
  say(`The key is ${rotation.to.keyId} from now on.`)
  const unsaved = await saveKey(deps.config, rotation.to)
  if (unsaved !== null) say(unsaved)
  await reseal(deps, rotation, say)
  const forgetAt = await retireKey(deps, rotation)
  if (forget) await retireKeyNow(deps, rotation, waitMs, say)
  else say(`The running service forgets the previous key, ${rotation.from.keyId}, at ${forgetAt}.`)
  say('Older database backups open only with the previous key: keep it as long as you keep them.')
}

async function beginOrContinue(deps: Deps, given: SecretKey | null, say: Say): Promise<Rotation> {
  const held = deps.secrets.current()
  const known = await findRotation(deps, held)
  if (given === null && !known?.isCurrent) await requireReplaceableFile(deps, held)
  if (known) {
    say(`Continuing the unfinished rotation from ${known.from.keyId} to ${known.to.keyId}.`)
    if (given && given.keyId !== known.to.keyId)
      throw new UsageError(
        `--key-file contains the key ${given.keyId}; leave the option out, or name the file with ${known.to.keyId}`,
      )
    return known
  }
  if (given?.keyId === held.keyId)
    throw new UsageError('--key-file contains the key in use; create another one')
  if (given === null && deps.config.secretsKey !== null) {
    throw new UsageError(
      'SECRETS_KEY is set, so the new key must be yours too: openssl rand -base64 32 > next.key, then --key-file next.key',
    )
  }
  return announceKey(deps, held, given)
}

/** Only the file keeps a generated key, so a file that cannot be replaced would lose it. */
async function requireReplaceableFile({ config }: Deps, held: SecretKey) {
  if (config.secretsKey !== null) return
  const code = await replaceKeyFile(config, held)
  if (code === null) return
  throw new UsageError(
    `${keyFileIn(config)} cannot be replaced (${code}), so a new key would be lost: make it writable, or give a key of yours with --key-file and put it there yourself`,
  )
}

async function reseal(deps: Deps, rotation: Rotation, say: Say) {
  let seen = 0
  const onPage = (rows: number) => {
    const before = Math.floor(seen / 100_000)
    seen += rows
    if (Math.floor(seen / 100_000) > before) say(`${seen} rows checked`)
  }
  for (const { table, column, rows, lost } of await resealAll(deps, rotation, { onPage })) {
    const cannot = lost === 0 ? '' : `, ${lost} left unchanged because no key opens them`
    say(`${table}.${column}: ${rows} sealed again${cannot}`)
  }
}

/** A process that had not yet checked may still have sealed with the old key, so a second pass covers all rows. */
async function retireKeyNow(deps: Deps, rotation: Rotation, waitMs: number, say: Say) {
  say('Waiting until every process encrypts with the new key …')
  await sleep(waitMs)
  await reseal(deps, rotation, say)
  await requireSavedKey(deps.config, rotation.to)
  await dropKey(deps, rotation)
  await deps.secrets.refresh()
  say(`The key ${rotation.from.keyId} is forgotten.`)
}
