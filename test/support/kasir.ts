import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { program } from './program.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export type Ran = { code: number | null; out: string; err: string }
/** Sends a signal once, as soon as the output has this in it. */
export type Interruption = { after: RegExp; signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' }

/** Runs the command line as a process of its own, with nothing in its environment but what is given. */
export function kasir(
  args: readonly string[],
  env: Record<string, string> = {},
  interruption?: Interruption,
): Promise<Ran> {
  const child = spawn(process.execPath, [...program(), ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
  })
  const text = { out: '', err: '' }
  let sent = false
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text.out += part
    if (interruption && !sent && interruption.after.test(text.out)) {
      sent = true
      child.kill(interruption.signal)
    }
  })
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text.err += part
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...text })))
}

/** A data directory that does not exist yet, in a room that PostgreSQL's own user may pass through. */
export async function freshDataDir(): Promise<{ dataDir: string; remove(): Promise<void> }> {
  const room = await mkdtemp(path.join(tmpdir(), 'kasir-cli-'))
  await chmod(room, 0o711)
  return { dataDir: path.join(room, 'data'), remove: () => rm(room, { recursive: true, force: true }) }
}
