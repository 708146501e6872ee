import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem, type } from 'node:os'
import { promisify } from 'node:util'

const run = promisify(execFile)

export const loadNow = () => (loadavg()[0] ?? 0).toFixed(2)

/** Resident memory of a process, MiB; 0 if the system does not report it. */
export async function rssOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
}

export async function machine(): Promise<string> {
  const [first] = cpus()
  return `${cpus().length} × ${first?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()}`
}

export const versionOf = (program: string): Promise<string | null> =>
  run(program, ['--version']).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )

/** Linux counts processor time in hundredths of a second, whatever the kernel's own clock is (proc(5), USER_HZ). */
const TICKS = 100

/**
 * user + system time of a process and, once reaped, of its children; seconds. The parent, by which the children of a
 * process are found.
 */
async function timesOf(pid: string): Promise<{ parent: string; own: number; reaped: number } | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (stat === null) return null
  const [, parent = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const at = (field: number) => Number(rest[field] ?? 0) / TICKS
  return { parent, own: at(9) + at(10), reaped: at(11) + at(12) }
}

/** Processor time of a process and its children, seconds; 0 if the system does not report it. */
export async function cpuOf(pid: number): Promise<number> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const times = await Promise.all(pids.map(async (name) => ({ name, times: await timesOf(name) })))
  return times.reduce((total, { name, times: found }) => {
    if (found === null) return total
    if (name === String(pid)) return total + found.own + found.reaped
    return found.parent === String(pid) ? total + found.own : total
  }, 0)
}
