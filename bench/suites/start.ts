import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { fixed, median, table } from '../lib/figures.ts'
import type { Options, Report, Suite } from '../lib/suite.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Runs `npm start` with the embedded database until its health check succeeds. */
export const start: Suite = {
  name: 'start',
  about: 'npm start to healthy, with a database that is there already',
  measure,
}

async function measure({ rounds, say }: Options): Promise<Report> {
  const dir = await mkdtemp(path.join(tmpdir(), 'kasir-bench-'))
  // Under root PostgreSQL runs as another user, who must be able to enter the directory.
  await chmod(dir, 0o711)
  const once = () => startOnce(path.join(dir, 'data'))
  try {
    const first = await once()
    const later: number[] = []
    for (let round = 0; round < rounds; round += 1) later.push(await once())
    say(`first ${fixed(first)} s, later ${later.map((seconds) => fixed(seconds)).join(', ')} s`)
    return {
      title: 'Start',
      text: [
        '`npm start` in a clone that is built, until GET /api/v1/health answers 200; npm itself and the look whether the build is current are included.',
        table(['first, s', 'later, s'], [[fixed(first), fixed(median(later))]]),
      ].join('\n\n'),
      rows: [
        {
          what: 'second npm start to healthy, s',
          measured: '',
          yardstick: '',
          value: median(later),
          bar: { atMost: 2 },
        },
      ],
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** Seconds from the command to the first successful health check; the service is stopped afterwards. */
async function startOnce(dataDir: string): Promise<number> {
  const began = performance.now()
  const child = spawn('npm', ['--silent', 'start'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A separate process group, because not every version of npm forwards signals.
    detached: true,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
    },
  })
  const ended = new Promise<number | null>((done) => child.once('close', done))
  try {
    const address = await new Promise<string>((done, fail) => {
      let told = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        told += text
        const found = /ready at (http:\S+)/.exec(told)?.[1]
        if (found !== undefined) done(found)
      })
      void ended.then((code) => fail(new Error(`npm start ended with code ${code}: ${told}`)))
    })
    const health = await fetch(`${address}/api/v1/health`)
    const seconds = (performance.now() - began) / 1000
    if (!health.ok) throw new Error(`not healthy: ${await health.text()}`)
    return seconds
  } finally {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    await ended
  }
}
