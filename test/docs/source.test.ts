import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sentencesArePlain, typesAreNamedForThings } from '../../scripts/lib/prose-rules.ts'
import { readRooms, withPart } from '../../scripts/lib/rooms.ts'
import {
  amountsAreCountedInOnePlace,
  anchorsAreSound,
  BEHAVIOUR,
  citationsAreOfWhatIsHere,
  citationsLeadSomewhere,
  envelopeIsWrittenInOnePlace,
  linksLeadSomewhere,
  mutantsFit,
} from '../../scripts/lib/source-rules.ts'

// That the sources obey is held by `npm run check`; here each rule is seen to fire on what it forbids.

const page = (...ids: string[]) => ({
  path: BEHAVIOUR,
  text: ids.map((id) => `- <a id="${id}"></a>**${id}** A rule.`).join('\n'),
})
const code = (text: string, path = 'src/areas/selling/sales/rules/x.ts') => ({ path, text })

test('a citation of a rule that does not exist is found, in code and pages, with its line', () => {
  const sources = [
    page('B-refund-1'),
    code('/** As told (B-refund-1).\n * And here (B-refund-9). */'),
    { path: 'docs/x.md', text: 'See B-money-1.' },
  ]
  expect(citationsLeadSomewhere(sources)).toEqual([
    'src/areas/selling/sales/rules/x.ts:2: B-refund-9 is no rule of docs/behaviour.md',
    'docs/x.md:1: B-money-1 is no rule of docs/behaviour.md',
  ])
})

test.each([
  '/** Rounded once (contract S1). */',
  ' * as section 4.1 of the specification wants.',
  '// What the customer pays (26.5).',
  '/** Held until then (spec 3.8, 4.2). */',
])('a citation of what is not in the repository is found: %s', (text) => {
  expect(citationsAreOfWhatIsHere([code(text)])).toHaveLength(1)
})

test('a public standard, a version and a figure are no such citation', () => {
  const text = [
    '/** RFC 9110, 15.5.6 and RFC 8725, 3.10 (OpenID Connect Core, 3.1.3.6); CSS 2.1. */',
    'const share = visitors * (0.85)',
    'random.chance(0.4)',
    '// A supplier (B-supplier-1) is never removed.',
  ].join('\n')
  expect(citationsAreOfWhatIsHere([code(text)])).toEqual([])
})

test('an anchor that comes twice, out of order or under another name is found', () => {
  expect(anchorsAreSound([page('B-refund-1', 'B-refund-2', 'B-money-1', 'B-refund-4')])).toEqual([])
  expect(anchorsAreSound([page('B-refund-2', 'B-refund-2')])).toHaveLength(1)
  expect(anchorsAreSound([page('B-refund-2', 'B-refund-1')])).toHaveLength(1)
  const text = '- <a id="B-refund-1"></a>**B-refund-2** A rule.'
  expect(anchorsAreSound([{ path: BEHAVIOUR, text }])).toHaveLength(1)
  expect(anchorsAreSound([])).toEqual(['docs/behaviour.md is missing'])
})

test.each([
  ['a product', 'const x = quantity * line.unitPrice'],
  ['a quotient', 'const x = amount / parts'],
  ['a remainder', 'const x = saleTotal % 100'],
  ['an assignment', 'let cost = 1\ncost *= 2'],
  ['an amount inside a call', 'const x = 2 * sum(lines.map((line) => line.price))'],
])('%s of an amount outside of money.ts is found', (_, text) => {
  expect(amountsAreCountedInOnePlace([code(text)])).toHaveLength(1)
})

test('figures that are no amounts are counted anywhere, amounts in money.ts', () => {
  expect(amountsAreCountedInOnePlace([code('const x = 90 * DAY_MS + stock / quantity')])).toEqual([])
  expect(amountsAreCountedInOnePlace([code('const x = amount * 2', 'src/core/money.ts')])).toEqual([])
})

test.each([
  ['an object', 'send({ data: null, error: { code: 1 } })'],
  ['an object without an error', 'send({ data: rows, meta })'],
  ['a text', `send('{"data":null,"error":null}')`],
  ['a template', 'send(`{"data":${rows},"error":null,"meta":${meta}}`)'],
])('an envelope written as %s outside of envelope.ts is found', (_, text) => {
  const found = envelopeIsWrittenInOnePlace([code(text)])
  expect(found.length).toBeGreaterThan(0)
  expect(envelopeIsWrittenInOnePlace([code(text, 'src/platform/http/envelope.ts')])).toEqual([])
})

test('a link to a file or a heading that is not there is found', () => {
  const paths = new Set(['README.md', 'docs/a.md', 'docs/decisions/0001.md'])
  const sources = [
    {
      path: 'README.md',
      text: '[a](docs/a.md) [part](docs/a.md#the-key) [all](docs/decisions) [web](https://x.y)',
    },
    { path: 'docs/a.md', text: '## The key\n[home](../README.md) [up](#the-key)' },
  ]
  expect(linksLeadSomewhere(sources, paths)).toEqual([])
  const broken = { path: 'README.md', text: 'x\n[b](docs/b.md)\n[c](docs/a.md#gone)' }
  expect(linksLeadSomewhere([...sources.slice(1), broken], paths)).toEqual([
    'README.md:2: (docs/b.md) leads nowhere',
    'README.md:3: (docs/a.md#gone) leads nowhere',
  ])
})

test('a mutant that no longer fits its file, or whose tests are gone, is found', () => {
  const sources = [code('const a = 1\nconst b = 1', 'src/core/x.ts'), code('', 'test/unit/x.test.ts')]
  const mutant = (from: string, ...tests: string[]) => ({
    file: 'src/core/x.ts',
    breaks: 'x',
    from,
    to: '',
    tests,
  })
  expect(mutantsFit([mutant('const a = 1', 'test/unit', 'test/unit/x.test.ts')], sources)).toEqual([])
  expect(mutantsFit([mutant(' = 1', 'test/unit'), mutant('const c', 'test/unit')], sources)).toEqual([
    'src/core/x.ts: the mutant "x" does not fit',
    'src/core/x.ts: the mutant "x" does not fit',
  ])
  expect(mutantsFit([mutant('const a', 'test/uni')], sources)).toEqual([
    'test/uni: the mutant "x" must be caught by this test, which does not exist',
  ])
})

type Paths = string | readonly string[]
type Wall = { name: string; from: { path?: Paths; pathNot?: Paths } }

test('every wall of the dependency rules guards at least one file', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const files = ['src', 'reference-partners/src', 'web/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((file) => `${folder}/${String(file).replaceAll('\\', '/')}`)
      .filter((file) => /\.tsx?$/.test(file)),
  )
  const isMatch = (file: string, paths: Paths) => [paths].flat().some((path) => new RegExp(path).test(file))
  // Guards against files that must not exist.
  const forbidden = ['a-tool-lives-in-a-known-folder', 'a-room-lives-in-a-district']
  const { forbidden: walls }: { forbidden: Wall[] } = createRequire(import.meta.url)(
    join(root, '.dependency-cruiser.cjs'),
  )
  const idle = walls.filter(
    ({ from: { path = '', pathNot } }) =>
      !files.some((file) => isMatch(file, path) && (pathNot === undefined || !isMatch(file, pathNot))),
  )
  expect(idle.map(({ name }) => name)).toEqual(forbidden)
})

test('the table of the README has every room with the purpose that its index.ts gives', () => {
  const rooms = readRooms(fileURLToPath(new URL('../../src/areas', import.meta.url)))
  expect(rooms).toContainEqual({ district: 'stock', name: 'suppliers', purpose: 'Suppliers of goods' })
  expect(rooms.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['avatar', 'forwarding', 'fulfillment', 'promotions', 'delivery']),
  )
})

test('a printed part replaces what stands between its marks, and a page without them is an error', () => {
  expect(withPart('a\n<!-- x: note -->\nold\n<!-- end of x -->\nb', 'x', 'new $1')).toBe(
    'a\n<!-- x: note -->\n\nnew $1\n\n<!-- end of x -->\nb',
  )
  expect(() => withPart('a', 'x', 'new')).toThrow('no marks for x')
})

test('a phrase without a subject is found in code, pages and the document, with what to write instead', () => {
  const sources = [
    code('/** Sends it again.\n * Nobody is told. */'),
    { path: 'docs/x.md', text: 'The till goes on selling.' },
    { path: 'openapi.json', text: '"description": "Answers at once."' },
    code('/** The till learns at\n * once what is left. */'),
    { path: 'reference-partners/src/x.ts', text: '// somebody' },
    { path: 'docs/z.md', text: '## What is kept\nWhat is a till?' },
    { path: 'test/x.test.ts', text: '// nobody' },
    { path: 'docs/y.md', text: 'The till continues, and its owner learns of it immediately.' },
  ]
  expect(sentencesArePlain(sources)).toEqual([
    'src/areas/selling/sales/rules/x.ts:2: replace "Nobody": "no one", or name who is excluded',
    'src/areas/selling/sales/rules/x.ts:2: replace "is told": "receives" or "learns"',
    'docs/x.md:1: replace "goes on": "continues"',
    'openapi.json:1: replace "at once": "immediately" or "in one statement"',
    'src/areas/selling/sales/rules/x.ts:1: replace "at once": "immediately" or "in one statement"',
    'src/areas/selling/sales/rules/x.ts:2: replace "what is": name the thing',
    'reference-partners/src/x.ts:1: replace "somebody": name the person or the program',
  ])
})

test('a type named by a bare participle is found, and so are two exported types of one name', () => {
  const sources = [
    code('type Wanted = { id: string }\nexport type Level = number', 'src/core/x.ts'),
    code('export type Level = string\ntype Row = object', 'src/core/y.ts'),
    code('type Row = object', 'src/core/z.ts'),
    code('type Merged = object\ntype Setting = string', 'src/core/w.ts'),
  ]
  expect(typesAreNamedForThings(sources)).toEqual([
    'src/core/x.ts:1: name the thing: Wanted says nothing outside this file',
    'src/core/w.ts:1: name the thing: Merged says nothing outside this file',
    'src/core/x.ts:2: the exported type Level is also in src/core/y.ts:1',
  ])
})
