import { text } from 'node:stream/consumers'
import pg from 'pg'
import { median } from '../lib/figures.ts'
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
const times: number[] = []
const goesOn = () => ('seconds' in task.limit ? seconds() < task.limit.seconds : sold < task.limit.count)
await Promise.all(
  clients.map(async (client) => {
    while (goesOn()) {
      const asked = performance.now()
      await client.query({ name: 'yardstick', text: statement, values: draw() })
      sold += 1
      times.push(performance.now() - asked)
    }
  }),
)
const pace: Pace = { perSecond: sold / seconds(), sales: sold, p50: median(times) }
await Promise.all(clients.map((client) => client.end()))
process.stdout.write(JSON.stringify(pace))
