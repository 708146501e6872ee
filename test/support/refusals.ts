import { appendFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'

/** Where a whole run keeps what was refused in it (scripts/check-refusals.ts); not there in any other run. */
// oxlint-disable-next-line node/no-process-env -- a test run is configured by nothing else
const folder = process.env['REFUSALS_SEEN']
const noted = new Set<string>()

/** Notes each refusal of a service once: which route, which status, which code. A line is there whatever becomes of the run. */
export function noteRefusals(app: FastifyInstance) {
  if (folder === undefined) return
  app.addHook('onSend', async ({ method, routeOptions }, { statusCode }, payload) => {
    if (statusCode < 400 || typeof payload !== 'string' || routeOptions.config.refusals === undefined)
      return payload
    const code = /^\{"data":null,"error":\{"code":"(\w+)"/.exec(payload)?.[1]
    const line = `${method === 'HEAD' ? 'GET' : method} ${routeOptions.url} ${statusCode} ${code}\n`
    if (code === undefined || noted.has(line)) return payload
    noted.add(line)
    appendFileSync(path.join(folder, `${process.pid}.txt`), line)
    return payload
  })
}
