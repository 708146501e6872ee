import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export type Received = { from: string; to: string[]; user: unknown; text: string }

/** A mail server on this machine that keeps what it is sent, or refuses it for as long as it is told to. */
export async function startMailbox(port = 0, { encrypts = false } = {}) {
  const received: Received[] = []
  const state = { refusing: false }
  const server = new SMTPServer({
    disabledCommands: encrypts ? [] : ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'till@shop.example' && password === 'p@ss word'
        ? done(null, { user: username })
        : done(new Error('who are you')),
    onRcptTo: ({ address }, _session, done) => {
      if (!state.refusing) return done()
      done(Object.assign(new Error(`<${address}> greylisted`), { responseCode: 451 }))
    },
    onData: (stream, { envelope, user }, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        const text = Buffer.concat(parts).toString('utf8')
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), user, text })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    received,
    refuse: (refusing: boolean) => {
      state.refusing = refusing
    },
    url: `smtp://till%40shop.example:p%40ss%20word@127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
