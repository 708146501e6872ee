/**
 * npm run gen writes the files that are printed from the source: openapi.json, the tables under docs/ and the
 * checksums of the migrations. With --check it writes nothing and fails with the list of files that are not up to
 * date.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { standingOf } from '../src/areas/workspace/modules/index.ts'
import { ERRORS } from '../src/core/errors.ts'
import { type EventType, isOffered } from '../src/core/events.ts'
import { documentAt } from '../src/document.ts'
import { events } from '../src/events.ts'
import { SETTINGS } from '../src/platform/config.ts'
import { fileVariable } from '../src/platform/config-files.ts'
import { readMigrations } from '../src/platform/db/migrate.ts'
import { requireEnforced } from '../src/platform/http/declared.ts'
import { API_PREFIX, authOf, roleOf } from '../src/platform/http/route.ts'
import { document as fulfillmentPartner } from '../src/reference-partners/fulfillment/openapi.ts'
import { document as marketingPartner } from '../src/reference-partners/marketing/openapi.ts'
import { document as paymentPartner } from '../src/reference-partners/payment/openapi.ts'
import { routes } from '../src/routes.ts'
import { brokenMigrations, extendedSums } from './lib/checksums.ts'
import { clientNamespaces, clientOperations, clientTypes } from './lib/client.ts'

const NOTE = '<!-- Printed by `npm run gen`; edit the source it names, not this file. -->\n\n'

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const tableOf = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')

const errors = () =>
  `${NOTE}# Errors

Every refusal is an envelope with \`data: null\`, \`error { code, message, param?, details? }\` and \`meta\`. Act on the
code and the status; the message is for people. A 5xx says nothing about the cause beyond the \`requestId\` in \`meta\`.
The table is in \`src/core/errors.ts\`.

${tableOf(
  ['Code', 'Status', 'When'],
  Object.entries(ERRORS).map(([code, { status, when }]) => [
    `\`${code}\``,
    code === 'VALIDATION_ERROR' ? '400, 422' : String(status),
    when,
  ]),
)}
`

type Data = { properties?: object; anyOf?: Data[] }
/** The keys that `data` holds, for each of the occasions that tell of different records. */
const occasionsOf = ({ properties, anyOf = [] }: Data): string[] =>
  properties === undefined
    ? anyOf.flatMap(occasionsOf)
    : [
        Object.keys(properties)
          .map((key) => `\`${key}\``)
          .join(', '),
      ]

const eventTable = (wanted: (type: EventType) => boolean) =>
  tableOf(
    ['About', 'Type', 'Meaning', 'Keys of `data`'],
    [...events.values()]
      .filter(wanted)
      .map(({ name, group, meaning, data }) => [
        group,
        `\`${name}\``,
        meaning,
        occasionsOf(data as Data).join(' or '),
      ]),
  )

const eventPage = () =>
  `${NOTE}# Events

An event is written in the transaction of the change it announces. Its body is
\`{ id, type, timestamp, accountId, data }\`; \`data\` holds the records named below as their GET route answers them,
taken at that moment. \`webhooks\` of \`openapi.json\` has the shape of each body. Of a record with more than 100 \`items\`
the first 100 are there, and \`truncated\` is true. Each room of \`src/areas\` declares its own in \`events.ts\`.

${eventTable(isOffered)}

## The audit log alone

These rows are in the same table and have the same form. They are never offered to webhooks; \`GET /events\` shows them
to managers and owners, each with actor, request and address. \`actor\` in \`data\` is \`{ kind, id }\` of who did it,
with the \`name\` of an API key, and \`delegation: { mode, id, run }\` where an assistant acted for a member. Members
are named by id alone.

${eventTable((type) => !isOffered(type))}
`

const configuration = () =>
  `${NOTE}# Configuration

Read from the environment once, at start; every wrong value is reported and prevents the start. The table is in
\`src/platform/config.ts\`.

A setting marked *secret* can come from a file instead, as containers hand secrets over: the same name with \`_FILE\` at
its end holds the path, as in \`DATABASE_URL_FILE=/run/secrets/database_url\`. Blanks and line breaks around the value do
not count.

${tableOf(
  ['Variable', 'Default', 'Meaning'],
  Object.values(SETTINGS).map((row) => [
    `\`${row.env}\`${fileVariable(row) === null ? '' : ' *secret*'}`,
    row.fallback === '' ? 'unset' : `\`${row.fallback}\``,
    row.help,
  ]),
)}
`

const routeTable = () =>
  `${NOTE}# Routes

The name is the operation's id in \`openapi.json\`, and does not change. Who may call: the least role of the member; an
API key acts as owner, a read-only key only reads. Delegation: what a delegation token may do there (\`read\`; \`write\`
configuration; \`books\` are read only for it; \`forbidden\`; \`none\` needs no credential). Shapes are in \`openapi.json\` and, readable, at \`/docs\` of a running service.

${[...new Set(routes.map((row) => row.area))]
  .map(
    (area) =>
      `## ${area}\n\n${tableOf(
        ['Name', 'Method', 'Path', 'Role', 'Delegation', 'What it does'],
        routes
          .filter((row) => row.area === area)
          .map((row) => [
            `\`${row.name}\``,
            row.method,
            `\`${API_PREFIX}${row.path}\``,
            authOf(row) === 'credential' ? roleOf(row).toLowerCase() : authOf(row),
            row.delegation,
            row.summary,
          ]),
      )}\n`,
  )
  .join('\n')}`

/** The page with each example as it lies in examples/, in the block of code behind its link. */
async function clientPage(): Promise<string> {
  const page = await readFile(pathOf('docs/client.md'), 'utf8')
  const examples = await readdir(pathOf('examples'))
  const texts = await Promise.all(
    examples.map(async (name) => [name, await readFile(pathOf(`examples/${name}`), 'utf8')] as const),
  )
  const block = (name: string) =>
    new RegExp(`(\\(\\.\\./examples/${name}\\)[^\\n]*\\n\\n\`\`\`ts\\n)[^]*?(\`\`\`)`)
  const missing = texts.filter(([name]) => !block(name).test(page)).map(([name]) => name)
  if (missing.length > 0) throw new Error(`docs/client.md has no block for ${missing.join(', ')}`)
  return texts.reduce(
    (text, [name, code]) =>
      text.replace(block(name), (_, head: string, tail: string) => `${head}${code}${tail}`),
    page,
  )
}

const SUMS = 'migrations/SHA256SUMS'
const PARTNER_SUMS = ['payment', 'fulfillment', 'marketing'].map(
  (name) => `migrations/reference-${name}/SHA256SUMS`,
)

const checksumsIn = (file: string) => async () => {
  const sums = await readFile(pathOf(file), 'utf8').catch(() => '')
  const migrations = await readMigrations(dirname(pathOf(file)))
  const broken = brokenMigrations(sums, migrations)
  if (broken.length === 0) return extendedSums(sums, migrations)
  console.error(
    `Edited or removed: ${broken.join(', ')}. Migrations are only added: restore it, and add another one.`,
  )
  process.exit(1)
}

const pathOf = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url))

const FILES: Record<string, () => string | Promise<string>> = {
  'openapi.json': () => `${JSON.stringify(documentAt('http://127.0.0.1:3000'), null, 2)}\n`,
  'docs/errors.md': errors,
  'docs/events.md': eventPage,
  'docs/configuration.md': configuration,
  'docs/routes.md': routeTable,
  'docs/client.md': clientPage,
  'docs/partners/payment.openapi.json': () =>
    `${JSON.stringify(paymentPartner('http://127.0.0.1:3010'), null, 2)}\n`,
  'docs/partners/fulfillment.openapi.json': () =>
    `${JSON.stringify(fulfillmentPartner('http://127.0.0.1:3011'), null, 2)}\n`,
  'docs/partners/marketing.openapi.json': () =>
    `${JSON.stringify(marketingPartner('http://127.0.0.1:3012'), null, 2)}\n`,
  'client/src/generated/types.gen.ts': () => clientTypes(documentAt('http://127.0.0.1:3000')),
  'client/src/generated/operations.ts': () => clientOperations(routes),
  'client/src/generated/namespaces.ts': () => clientNamespaces(routes),
  [SUMS]: checksumsIn(SUMS),
  ...Object.fromEntries(PARTNER_SUMS.map((file) => [file, checksumsIn(file)])),
}

// No document of a table that would not start.
requireEnforced(routes, { standingOf })

const stale: string[] = []
for (const [file, print] of Object.entries(FILES)) {
  const wanted = await print()
  const found = await readFile(pathOf(file), 'utf8').catch(() => '')
  if (found !== wanted) stale.push(file)
  if (found === wanted || process.argv.includes('--check')) continue
  await mkdir(dirname(pathOf(file)), { recursive: true })
  await writeFile(pathOf(file), wanted)
}
if (process.argv.includes('--check') && stale.length > 0) {
  console.error(`Not up to date: ${stale.join(', ')}. Run npm run gen and commit what it writes.`)
  process.exitCode = 1
} else {
  console.log(stale.length === 0 ? 'Up to date' : `Written: ${stale.join(', ')}`)
}
