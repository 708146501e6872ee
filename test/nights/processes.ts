import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, vi } from 'vitest'
import { program } from '../support/program.ts'

/** As long as a poll may take; `expect.poll` works in a test only, and these helpers in hooks too. */
const PATIENCE = { timeout: 60_000, interval: 10 }

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export type KasirProcess = {
  child: ChildProcess
  pid: number
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>
  isRunning(): boolean
  output(): string
}

/** Runs a command as a process of its own, with nothing in its environment but what is given. */
export function startKasir(
  args: readonly string[],
  env: Record<string, string>,
  stdin: 'ignore' | number = 'ignore',
): KasirProcess {
  const child = spawn(process.execPath, [...program(), ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdio: [stdin, 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => (text += part))
  return {
    child,
    pid: child.pid ?? 0,
    // Not 'close': a reader that has stalled never sees the end of the output.
    ended: new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal))),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    output: () => text,
  }
}

/** The state and the parent of a process (proc(5)); null when it is gone or only waits to be reaped. */
async function lookUp(pid: number): Promise<{ parent: number } | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [state, parent] = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return line === '' || state === 'Z' || state === 'X' ? null : { parent: Number(parent) }
}

/** These processes and all their descendants that are alive. */
export async function familyOf(...roots: readonly number[]): Promise<number[]> {
  const ids = (await readdir('/proc')).map(Number).filter((pid) => Number.isInteger(pid))
  const alive = (await Promise.all(ids.map(async (pid) => ({ pid, known: await lookUp(pid) })))).flatMap(
    ({ pid, known }) => (known === null ? [] : [{ pid, parent: known.parent }]),
  )
  const family = new Set(alive.filter(({ pid }) => roots.includes(pid)).map(({ pid }) => pid))
  for (let before = -1; before < family.size; ) {
    before = family.size
    for (const { pid, parent } of alive) if (family.has(parent)) family.add(pid)
  }
  return [...family]
}

function signalTo(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}

/**
 * Ends these processes and their descendants, PostgreSQL included, as a power cut does. All are stopped before any is
 * killed, so that none acts on the death of another.
 */
export async function cutPower(...roots: readonly number[]) {
  const stopped = new Set<number>()
  for (let isComplete = false; !isComplete; ) {
    const found = (await familyOf(...roots)).filter((pid) => !stopped.has(pid))
    for (const pid of found) {
      signalTo(pid, 'SIGSTOP')
      stopped.add(pid)
    }
    isComplete = found.length === 0
  }
  for (const pid of stopped) signalTo(pid, 'SIGKILL')
  await expectGone(stopped)
}

/** Orphans have another parent, so each of the processes is looked up by its own id. */
export async function expectGone(pids: Iterable<number>) {
  for (const pid of pids)
    await vi.waitFor(async () => expect(await lookUp(pid), `process ${pid} goes on`).toBeNull(), PATIENCE)
}
