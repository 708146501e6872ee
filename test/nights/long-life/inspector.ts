import { WebSocket } from 'undici'

export type Inspector = {
  /** Evaluates an expression in the process; its value must be JSON. */
  evaluate<T>(expression: string): Promise<T>
  collectGarbage(): Promise<void>
  close(): void
}

type Answer = {
  id: number
  error?: { message: string }
  result?: { result?: { value: unknown }; exceptionDetails?: { text: string } }
}

/** The options under which Node prints the address that `openInspector` needs. */
export const INSPECTABLE = '--inspect=127.0.0.1:0'
const ADDRESS = /Debugger listening on (ws:\S+)/

/** Connects to the inspector of a Node process by what the process printed. */
export async function openInspector(output: string): Promise<Inspector> {
  const address = ADDRESS.exec(output)?.[1]
  if (address === undefined) throw new Error(`the process was not started with ${INSPECTABLE}: ${output}`)
  const socket = new WebSocket(address)
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>()
  let sent = 0
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true })
    socket.addEventListener('error', () => reject(new Error(`no inspector at ${address}`)), { once: true })
  })
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer
    waiting.get(answer.id)?.resolve(answer)
    waiting.delete(answer.id)
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the process has ended'))
    waiting.clear()
  })
  const send = async (method: string, params: object = {}) => {
    sent += 1
    const id = sent
    const { error, result } = await new Promise<Answer>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      socket.send(JSON.stringify({ id, method, params }))
    })
    const failure = error?.message ?? result?.exceptionDetails?.text
    if (failure !== undefined) throw new Error(`${method}: ${failure}`)
    return result?.result?.value
  }
  return {
    evaluate: async <T>(expression: string) =>
      (await send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })) as T,
    collectGarbage: async () => {
      await send('HeapProfiler.collectGarbage')
    },
    close: () => socket.close(),
  }
}
