import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Say } from '../main.ts'
import { systemCode } from '../platform/db/embedded/fault.ts'
import type { Deps } from '../platform/deps.ts'
import {
  adoptKey,
  announceKey,
  findRotation,
  forgetKey,
  type Rotation,
  resealAll,
  retireKey,
} from '../platform/key-rotation.ts'
import { keyOf, type SecretKey, secretsOf } from '../platform/secrets.ts'
import { command, dataDirArg, say, UsageError } from './command.ts'
import { inInstallation } from './operator.ts'

/** Every running process has looked twice by then. */
const LOOKED_MS = 12_000

export const rotateSecrets = command({
  name: 'rotate-secrets',
  description: 'Replace the key that secrets are sealed with, while the service runs',
  args: {
    'key-file': {
      type: 'string',
      valueHint: 'path',
      description:
        'The new key, 32 bytes in base64; needed where SECRETS_KEY is set, made by itself elsewhere',
    },
    forget: {
      type: 'boolean',
      description: 'Forget the old key at once instead of in an hour; delegation tokens made with it end',
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
    throw new UsageError(`${file} holds no key: 32 bytes in base64, as "openssl rand -base64 32" makes`)
  return secretsOf(key)
}

/** `waitMs` is how long every running process may take to look twice. */
export async function rotate(
  deps: Deps,
  given: SecretKey | null,
  { forget, waitMs = LOOKED_MS, say }: { forget: boolean; waitMs?: number; say: Say },
) {
  const rotation = await beginOrContinue(deps, given, say)
  if (rotation.isCurrent && rotation.forgetAt !== null && !forget) {
    say(`The key is ${rotation.to.keyId} already; the one before is forgotten at ${rotation.forgetAt}.`)
    say('Run this again after that for another key, or with --forget to forget it now.')
    return
  }
  if (!rotation.isCurrent) {
    say('Waiting until every process knows the new key …')
    await sleep(waitMs)
    await adoptKey(deps, rotation)
  }
  await deps.secrets.refresh()
  say(`The key is ${rotation.to.keyId} from now on.`)
  await reseal(deps, rotation, say)
  const forgetAt = await retireKey(deps, rotation)
  if (forget) await forgetNow(deps, rotation, waitMs, say)
  else
    say(`The key before, ${rotation.from.keyId}, is forgotten at ${forgetAt}, by the service that runs then.`)
  say(
    'Backups of the database from before open with the key before only: keep it with them, as long as they are kept.',
  )
}

async function beginOrContinue(deps: Deps, given: SecretKey | null, say: Say): Promise<Rotation> {
  const held = deps.secrets.current()
  const known = await findRotation(deps, held)
  if (known) {
    say(`A rotation from ${known.from.keyId} to ${known.to.keyId} has begun; going on with it.`)
    if (given && given.keyId !== known.to.keyId)
      throw new UsageError(
        `--key-file holds ${given.keyId}; leave it out, or name the file with ${known.to.keyId}`,
      )
    return known
  }
  if (given?.keyId === held.keyId)
    throw new UsageError('--key-file holds the key that is in use; make another one')
  if (given === null && deps.config.secretsKey !== null) {
    throw new UsageError(
      'SECRETS_KEY is set, so the new key must be yours too: openssl rand -base64 32 > next.key, then --key-file next.key',
    )
  }
  return announceKey(deps, held, given)
}

async function reseal(deps: Deps, rotation: Rotation, say: Say) {
  let seen = 0
  const onPage = (rows: number) => {
    const before = Math.floor(seen / 100_000)
    seen += rows
    if (Math.floor(seen / 100_000) > before) say(`${seen} rows looked at`)
  }
  for (const { table, column, rows, lost } of await resealAll(deps, rotation, { onPage })) {
    const cannot = lost === 0 ? '' : `, ${lost} that no key opens are left as they are`
    say(`${table}.${column}: ${rows} sealed again${cannot}`)
  }
}

/** A process that had not looked yet may have sealed with the old key behind our back, so all is gone through once more. */
async function forgetNow(deps: Deps, rotation: Rotation, waitMs: number, say: Say) {
  say('Waiting until every process seals with the new key …')
  await sleep(waitMs)
  await reseal(deps, rotation, say)
  await forgetKey(deps, rotation)
  await deps.secrets.refresh()
  say(`The key ${rotation.from.keyId} is forgotten.`)
}
