// A receipt printer at a TCP port, which can be made to fail.
import { createServer, type Socket } from 'node:net'

/**
 * `ready` prints. `silent` prints, reports no state and closes once it has read everything. `cut` drops the connection at the
 * first bytes of a job, `mute` reads and never answers, `paperOut` and `coverOpen` report it, `runsOut` only after the job.
 */
export type PrinterMood = 'ready' | 'silent' | 'cut' | 'mute' | 'paperOut' | 'coverOpen' | 'runsOut'

export type TestPrinter = {
  host: string
  port: number
  /** What each connection sent apart from questions about the state; connections that only asked are left out. */
  papers(): Buffer[]
  /** The same as text. */
  texts(): string[]
  /** Connections, also those without a job. */
  connections(): number
  be(mood: PrinterMood): void
  /** Waits before each answer. */
  answerAfter(ms: number): void
  close(): Promise<void>
}

const READY = 0x12

/** Printed letters of ESC/POS bytes: commands are left out. */
export const lettersOf = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replaceAll(/\x1b[@]|\x1c\.|\x1b[Mta E]?[\s\S]|\x1d[!V][\s\S]/g, '')
    .replaceAll(/[^\n -~]/g, '')

export async function startPrinter(port = 0): Promise<TestPrinter> {
  let mood: PrinterMood = 'ready'
  let delayMs = 0
  let connections = 0
  const papers: Buffer[] = []
  const open = new Set<Socket>()
  const statusOf = (question: number, hasJob: boolean) => {
    const isOut = mood === 'paperOut' || (mood === 'runsOut' && hasJob)
    if (question === 2) return READY | (mood === 'coverOpen' ? 0x04 : 0) | (isOut ? 0x20 : 0)
    return READY | (isOut ? 0x60 : 0)
  }
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections += 1
    open.add(socket)
    const sent: number[] = []
    const paper = () => {
      if (sent.length > 0) papers.push(Buffer.from(sent.splice(0)))
    }
    socket.on('data', (chunk: Buffer) => {
      const bytes = [...chunk]
      for (let at = 0; at < bytes.length; at += 1) {
        const [byte = 0, next, question = 0] = bytes.slice(at, at + 3)
        if (byte === 0x10 && next === 0x04) {
          at += 2
          if (mood === 'silent' || mood === 'mute') continue
          const answer = Buffer.of(statusOf(question, sent.length > 0))
          if (delayMs === 0) socket.write(answer)
          else setTimeout(() => socket.writable && socket.write(answer), delayMs)
          continue
        }
        sent.push(byte)
        if (mood === 'cut' && sent.length >= 40) {
          paper()
          socket.resetAndDestroy()
          return
        }
      }
    })
    socket.on('end', () => {
      if (mood !== 'mute') socket.end()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      open.delete(socket)
      paper()
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the printer has no port')
  return {
    host: '127.0.0.1',
    port: address.port,
    papers: () => papers,
    texts: () => papers.map(lettersOf),
    connections: () => connections,
    be: (next) => {
      mood = next
    },
    answerAfter: (ms) => {
      delayMs = ms
    },
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** A port of this machine at which no program listens. */
export async function unusedPort(): Promise<number> {
  const printer = await startPrinter()
  await printer.close()
  return printer.port
}
