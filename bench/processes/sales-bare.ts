import { text } from 'node:stream/consumers'
import pg from 'pg'
import { type BareTask, bareStatement, type Pace } from '../lib/sales-yardstick.ts'

const task = JSON.parse(await text(process.stdin)) as BareTask
const { text: statement, draw } = bareStatement(task)
const clients = await Promise.all(
  Array.from({ length: task.clients }, async () => {
    const client = new pg.Client({ connectionString: task.url })
    await client.connect()
    return client
  }),
)
const began = performance.now()
const seconds = () => (performance.now() - began) / 1000
let sold = 0
const goesOn = () => ('seconds' in task.limit ? seconds() < task.limit.seconds : sold < task.limit.count)
await Promise.all(
  clients.map(async (client) => {
    while (goesOn()) {
      await client.query({ name: 'yardstick', text: statement, values: draw() })
      sold += 1
    }
  }),
)
const pace: Pace = { perSecond: sold / seconds(), sales: sold }
await Promise.all(clients.map((client) => client.end()))
process.stdout.write(JSON.stringify(pace))
