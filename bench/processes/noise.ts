import { connect } from 'node:net'
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'

// Started by bench/suites/noise.ts: callers that repeat the paths as fast as they are answered. After a 429 a caller waits
// for the seconds in Retry-After.

export type NoiseTask = {
  address: string
  key: string
  paths: string[]
  connections: number
  seconds: number
}
/** The number of answers for each status. */
export type NoiseResult = { statuses: Record<string, number> }

/** The callers of a real workspace run on other machines: these take the processor only when nothing else needs it. */
const LOWEST_PRIORITY = 19
const HEAD_END = Buffer.from('\r\n\r\n')
const STATUS_AT = 'HTTP/1.1 '.length
const CHUNKED_END = '0\r\n\r\n'

async function run({ address, key, paths, connections, seconds }: NoiseTask): Promise<NoiseResult> {
  const { hostname, port } = new URL(address)
  const end = performance.now() + seconds * 1_000
  const statuses: Record<string, number> = {}
  let sent = 0

  const caller = () =>
    new Promise<void>((done, fail) => {
      const socket = connect(Number(port), hostname)
      let answer: Buffer[] = []
      const ask = () => {
        if (performance.now() >= end) {
          socket.destroy()
          return done()
        }
        const path = paths[sent % paths.length] ?? ''
        sent += 1
        socket.write(
          `GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${key}\r\n\r\n`,
        )
      }
      socket.once('connect', ask)
      socket.once('error', fail)
      socket.once('close', () => done())
      socket.on('data', (chunk: Buffer) => {
        answer.push(chunk)
        if (!isWhole(answer)) return
        const status = answer[0]?.toString('latin1', STATUS_AT, STATUS_AT + 3) ?? ''
        statuses[status] = (statuses[status] ?? 0) + 1
        const waitSeconds = /retry-after: (\d+)/i.exec(answer[0]?.toString('latin1') ?? '')?.[1]
        answer = []
        if (waitSeconds === undefined) ask()
        else setTimeout(ask, Number(waitSeconds) * 1_000)
      })
    })
  await Promise.all(Array.from({ length: connections }, caller))
  return { statuses }
}

/** Whether the answer is there up to its end: its length is in its head, or its last chunk is empty. */
function isWhole(answer: readonly Buffer[]): boolean {
  const [first = Buffer.alloc(0)] = answer
  const headEnd = first.indexOf(HEAD_END)
  if (headEnd < 0) return false
  const head = first.toString('latin1', 0, headEnd)
  const length = /content-length: (\d+)/i.exec(head)?.[1]
  const bytes = answer.reduce((sum, { length: part }) => sum + part, 0)
  if (length !== undefined) return bytes >= headEnd + HEAD_END.length + Number(length)
  return Buffer.concat(answer.slice(-2)).toString('latin1').endsWith(CHUNKED_END)
}

setPriority(LOWEST_PRIORITY)
const task = JSON.parse(await text(process.stdin)) as NoiseTask
process.stdout.write(JSON.stringify(await run(task)))
