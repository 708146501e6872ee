import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Channel, EVERYTHING, openChannel } from '../../src/platform/live/channel.ts'
import { cloneDatabase, type TestDatabase } from '../support/db.ts'
import { type FaultyProxy, faultyProxy } from '../support/faulty-proxy.ts'

let database: TestDatabase
let proxy: FaultyProxy
beforeAll(async () => {
  database = await cloneDatabase()
  proxy = await faultyProxy(database.url)
})
afterAll(async () => {
  proxy.close()
  await database.drop()
})

const LONG_MS = 20_000

/** A process that sends through the proxy, and one beside it that hears from the database itself. */
async function twoProcesses() {
  const heard: string[] = []
  const logged: string[] = []
  const log = pino({}, { write: (line: string) => void logged.push(line) })
  const open = (url: string, onLine: (line: string) => void): Channel =>
    openChannel({ url, log, onLine, onListening: () => {} })
  const sender = open(proxy.url, () => {})
  const hearer = open(database.url, (line) => void heard.push(line))
  await hearer.listening(LONG_MS)
  return { sender, heard, logged, close: () => Promise.all([sender.close(), hearer.close()]) }
}

test('a line whose notification failed is sent again once the database answers', async () => {
  const { sender, heard, logged, close } = await twoProcesses()
  await sender.listening(LONG_MS)
  sender.send('first')
  await expect.poll(() => heard, { timeout: LONG_MS }).toEqual(['first'])
  proxy.silence(true)
  sender.send('second')
  await expect.poll(() => logged.join(''), { timeout: LONG_MS }).toContain('waiting for the next connection')
  proxy.silence(false)
  await expect.poll(() => heard, { timeout: LONG_MS }).toContain('second')
  await close()
})

test('while the database is away the lines that wait have a bound: beyond it one covers all', async () => {
  proxy.refuse(true)
  const { sender, heard, close } = await twoProcesses()
  for (let n = 0; n < 5_001; n += 1) sender.send(`line ${n}`)
  proxy.refuse(false)
  await expect.poll(() => heard, { timeout: LONG_MS }).toEqual([EVERYTHING])
  await close()
})

test('a channel closes while the connection that it opens has had no answer', async () => {
  proxy.silence(true)
  const channel = openChannel({
    url: proxy.url,
    log: pino({}, { write: () => {} }),
    onLine: () => {},
    onListening: () => {},
  })
  await channel.listening(200)
  await channel.close()
  proxy.silence(false)
})

test('eight busy processes wake the listeners hardly more often than one, and no line is lost', async () => {
  const log = pino({}, { write: () => {} })
  const watcher = new pg.Client({ connectionString: database.url })
  await watcher.connect()
  await watcher.query('listen kasir_live')
  /** How often a notification came in half a second in which so many processes had something new to say at any time. */
  const wakingsOf = async (count: number) => {
    const heard = new Set<string>()
    const said = new Set<string>()
    const processes = Array.from({ length: count }, () =>
      openChannel({ url: database.url, log, onLine: (line) => void heard.add(line), onListening: () => {} }),
    )
    await Promise.all(processes.map((one) => one.listening(LONG_MS)))
    let wakings = 0
    const wake = () => {
      wakings += 1
    }
    const say = () => {
      for (const [n, one] of processes.entries()) {
        const line = `process ${n} line ${said.size}`
        said.add(line)
        one.send(line)
      }
    }
    // They learn of each other by what they say first.
    say()
    if (count > 1) await expect.poll(() => heard.size, { timeout: LONG_MS }).toBe(said.size)
    watcher.on('notification', wake)
    const talking = setInterval(say, 2)
    await new Promise((resolve) => setTimeout(resolve, 500))
    clearInterval(talking)
    watcher.removeListener('notification', wake)
    if (count > 1) await expect.poll(() => heard.size, { timeout: LONG_MS }).toBe(said.size)
    await Promise.all(processes.map((one) => one.close()))
    return wakings
  }
  const one = await wakingsOf(1)
  expect(one).toBeGreaterThan(5)
  expect(await wakingsOf(8)).toBeLessThan(one * 2 + 16)
  await watcher.end()
})
