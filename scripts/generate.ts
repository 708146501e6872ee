/**
 * npm run gen writes what is printed from the source: openapi.json, the tables under docs/ (those of costs from bench/footprint.json), the rooms of README.md, the
 * access words and locks of ARCHITECTURE.md and the checksums of the migrations. With --check it writes nothing and fails with the
 * list of files that are not up to date.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { document as fulfillmentPartner } from '../reference-partners/src/fulfillment/openapi.ts'
import { document as marketingPartner } from '../reference-partners/src/marketing/openapi.ts'
import { document as paymentPartner } from '../reference-partners/src/payment/openapi.ts'
import { standingOf } from '../src/areas/workspace/modules/index.ts'
import { COMMANDS, EXAMPLES } from '../src/cli/commands.ts'
import { commandHelp, programHelp } from '../src/cli/help.ts'
import { ERRORS } from '../src/core/errors.ts'
import { type EventType, isOffered } from '../src/core/events.ts'
import { documentAt } from '../src/document.ts'
import { events } from '../src/events.ts'
import { SETTINGS } from '../src/platform/config/config.ts'
import { fileVariable } from '../src/platform/config/files.ts'
import { LOCK_ORDER } from '../src/platform/db/lock-order.ts'
import { readMigrations } from '../src/platform/db/migrate.ts'
import { requireEnforced } from '../src/platform/http/declared.ts'
import { ACCESS, API_PREFIX, authOf, roleOf } from '../src/platform/http/route.ts'
import { routes } from '../src/routes.ts'
import { brokenMigrations, extendedSums } from './lib/checksums.ts'
import { clientNamespaces, clientOperations, clientTypes } from './lib/client.ts'
import { readFootprint } from './lib/cost-footprint.ts'
import { costPage, footprintTables, smallMachineTable } from './lib/cost-table.ts'
import { readRooms, withPart } from './lib/rooms.ts'

const NOTE = '<!-- Printed by `npm run gen`; edit the source it names, not this file. -->\n\n'

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const tableOf = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')

const errors = () =>
  `${NOTE}# Errors

Every error is an envelope with \`data: null\`, \`error { code, message, param?, details? }\` and \`meta\`. Programs act on
the code and the status; the message is for people. A 5xx reveals nothing about the cause but the \`requestId\` in
\`meta\`. The table is in \`src/core/errors.ts\`.

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
/** The keys of `data`, for each case with different records. */
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
\`{ id, type, timestamp, accountId, data }\`. \`data\` holds the records named below as their GET routes answered them at
that moment. \`webhooks\` of \`openapi.json\` has the shape of each body. A record with more than 100 \`items\`, \`refunds\`,
\`entries\` or \`variants\`, or of more than 128 KiB, has the first of them, and \`truncated\` is true. Each room of \`src/areas\` declares its events in
\`events.ts\`.

${eventTable(isOffered)}

## The audit log alone

These rows are in the same table and have the same form. They are never offered to webhooks; \`GET /events\` shows them
to managers and owners, each with actor, request and address. \`actor\` in \`data\` is \`{ kind, id }\`, with the \`name\` of
an API key, and with \`delegation: { mode, id, run }\` if an assistant acted for a member. Members are named by id alone.

${eventTable((type) => !isOffered(type))}
`

const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()))
const helpOf = (title: string, text: string) => `## ${title}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`

const commandPage = () =>
  `${NOTE}# Commands

This page shows the output of \`kasir --help\` and \`kasir <command> --help\`. In a clone \`npm start --\` stands for
\`kasir\`: \`npm start -- doctor\`. Before the first installation \`npm start -- --help\` prints this page.

${[
  helpOf('kasir', programHelp(commands, EXAMPLES)),
  ...commands.map((command) => helpOf(`kasir ${command.name}`, commandHelp(command))),
].join('\n')}`

const configuration = () =>
  `${NOTE}# Configuration

The service reads its settings from the environment once, at the start. It reports every wrong value and does not start then. The table is in
\`src/platform/config/config.ts\`.

A setting marked *secret* can come from a file instead, as is usual in containers: the same name with \`_FILE\` at its end
holds the path, as in \`DATABASE_URL_FILE=/run/secrets/database_url\`. Blanks and line breaks around the value are
ignored.

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

The name is the operation's id in \`openapi.json\`, and does not change. Role: the least role of the member. An API key acts
with the role of the member who made it, and a read-only key only reads. Delegation: what a delegation token may do there.
\`read\`: both modes; \`write\`: mode \`act\`; \`books\`: read only; \`forbidden\`: not open to assistants; \`none\`: no credential
needed. \`openapi.json\` has the shapes; \`/docs\` of a running service shows them readably.

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

/** The page with each file of examples/ in the code block after its link. */
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

/** The README with one line for each room of src/areas. */
async function readme(): Promise<string> {
  const title = (district: string) => district.charAt(0).toUpperCase() + district.slice(1)
  const rows = readRooms(pathOf('src/areas')).map(({ district, name, purpose }) => [
    title(district),
    `\`${name}\``,
    purpose,
  ])
  return withPart(
    await readFile(pathOf('README.md'), 'utf8'),
    'rooms',
    tableOf(['District', 'Room', 'What it does'], rows),
  )
}

/** ARCHITECTURE.md with the words that a route may have as its `access`, and the order of the locks. */
async function architecture(): Promise<string> {
  const rows = Object.entries(ACCESS).map(([word, meaning]) => [`\`${word}\``, meaning])
  const page = await readFile(pathOf('ARCHITECTURE.md'), 'utf8')
  const withAccess = withPart(page, 'access', tableOf(['`access`', 'The handler'], rows))
  return withPart(withAccess, 'locks', `**${LOCK_ORDER.join(' →\n')}.**`)
}

const footprint = await readFootprint()

/** docs/capacity.md with what a sale takes, and what a small machine carries therefore. */
const capacity = async () =>
  withPart(
    withPart(await readFile(pathOf('docs/capacity.md'), 'utf8'), 'footprint', footprintTables(footprint)),
    'small machine',
    smallMachineTable(footprint),
  )

const scaling = async () =>
  withPart(await readFile(pathOf('docs/scaling.md'), 'utf8'), 'cost', costPage(footprint))

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
  'README.md': readme,
  'ARCHITECTURE.md': architecture,
  'openapi.json': () => `${JSON.stringify(documentAt('http://127.0.0.1:3000'), null, 2)}\n`,
  'docs/errors.md': errors,
  'docs/events.md': eventPage,
  'docs/configuration.md': configuration,
  'docs/commands.md': commandPage,
  'docs/routes.md': routeTable,
  'docs/client.md': clientPage,
  'docs/capacity.md': capacity,
  'docs/scaling.md': scaling,
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
