import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { makeLog } from '../../src/platform/log/log.ts'
import { startHarness } from '../support/service.ts'

test('a client that drops in mid-upload is no outage and leaves no error in the log', async () => {
  const lines: { level: number; status?: number; msg: string }[] = []
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const { harness, stop } = await startHarness({ log: makeLog('info', sink) })
  const { hostname, port } = new URL(harness.address)
  try {
    const told = () => lines.filter((line) => line.msg === 'The request ended before its body did')
    // One that leaves before the service begins to listen to its body is not even told of.
    await expect
      .poll(
        async () => {
          const socket = connect(Number(port), hostname)
          socket.write(
            `POST /api/v1/categories HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${harness.acme.workspace.key}\r\n` +
              'content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 1000\r\n\r\n{"name":',
          )
          // The service asks for the body, so it has begun to read it.
          await new Promise((resolve) => socket.once('data', resolve))
          socket.destroy()
          return told().length
        },
        { interval: 10 },
      )
      .toBeGreaterThanOrEqual(5)
    expect(new Set(told().map((line) => line.status))).toEqual(new Set([400]))
    expect(lines.filter((line) => line.level >= 40)).toEqual([])
  } finally {
    await stop()
  }
})
