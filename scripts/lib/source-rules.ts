import { posix } from 'node:path'
import ts from 'typescript'
import type { Mutant } from '../../test/mutants/mutant.ts'

/** What the linter cannot say about the sources, checked by reading them. Each rule answers its complaints. */
export type Source = { path: string; text: string }
type Rule = (sources: readonly Source[]) => string[]

const lineAt = (text: string, at: number) => text.slice(0, at).split('\n').length
const isCode = ({ path }: Source) => /^(src|test|scripts|bench)\/.*\.(ts|mjs|js)$/.test(path)
const isPage = ({ path }: Source) => path.endsWith('.md')

export const BEHAVIOUR = 'docs/behaviour.md'
const ANCHOR = /<a id="(B-([a-z]+)-(\d+))"><\/a>\*\*(B-[a-z]+-\d+)\*\*/g
const CITATION = /\bB-[a-z]+-\d+\b/g

/** The rules of the behaviour page, by their anchors. */
export const anchorsOf = (page: string): string[] => [...page.matchAll(ANCHOR)].map(([, id = '']) => id)

/** Each rule of the page has an anchor of its own, equal to what the reader sees, and a chapter counts upwards. */
export const anchorsAreSound: Rule = (sources) => {
  const page = sources.find(({ path }) => path === BEHAVIOUR)
  if (!page) return [`${BEHAVIOUR} is missing`]
  const latest = new Map<string, number>()
  return [...page.text.matchAll(ANCHOR)].flatMap(([, id = '', chapter = '', n = '', shown = '']) => {
    const before = latest.get(chapter) ?? 0
    latest.set(chapter, Number(n))
    return [
      ...(id === shown ? [] : [`${BEHAVIOUR}: the anchor ${id} stands before ${shown}`]),
      ...(Number(n) > before ? [] : [`${BEHAVIOUR}: ${id} comes twice or after a higher number`]),
    ]
  })
}

/** What a comment, a test or a page cites exists. */
export const citationsLeadSomewhere: Rule = (sources) => {
  const known = new Set(anchorsOf(sources.find(({ path }) => path === BEHAVIOUR)?.text ?? ''))
  return sources
    .filter((source) => isCode(source) || isPage(source))
    .flatMap(({ path, text }) =>
      [...text.matchAll(CITATION)]
        .filter(([id]) => !known.has(id))
        .map((match) => `${path}:${lineAt(text, match.index)}: ${match[0]} is no rule of ${BEHAVIOUR}`),
    )
}

/** Numbers of documents that are not in the repository: nobody could look them up. */
const ABSENT =
  /\b(?:contract|spec|specification) (?:\d|[RS]\d)|section \d[\d.]* of the specification|\((?:[RS]\d|[1-9]\d?\.\d{1,2})(?:, (?:[RS]\d|\d{1,2}\.\d{1,2}))*\)/i

/** Every rule can be looked up here: comments cite the behaviour page and public standards, nothing else. */
export const citationsAreOfWhatIsHere: Rule = (sources) =>
  sources
    .filter((source) => isCode(source) || isPage(source))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const isComment = path.endsWith('.md') || /^\s*(?:\*|\/\/|\/\*)/.test(line)
        const cited = isComment ? ABSENT.exec(line) : null
        return cited
          ? [`${path}:${index + 1}: "${cited[0]}" is not in the repository; cite ${BEHAVIOUR}`]
          : []
      }),
    )

/** Links between the pages and to files of the repository lead to something that is there. */
export const linksLeadSomewhere = (sources: readonly Source[], paths: ReadonlySet<string>): string[] =>
  sources.filter(isPage).flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap((match) => {
      const [, file = '', heading] = match
      const target = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), file))
      const page = sources.find((other) => other.path === target)
      const isThere = paths.has(target) || [...paths].some((known) => known.startsWith(`${target}/`))
      const isFound = heading === undefined || (page !== undefined && headingsOf(page.text).has(heading))
      return isThere && isFound
        ? []
        : [`${path}:${lineAt(text, match.index)}: ${match[0].slice(1)} leads nowhere`]
    }),
  )

/** The names by which GitHub links to parts of a page. */
const headingsOf = (text: string) =>
  new Set([
    ...[...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
    ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id),
  ])

type Visit = (node: ts.Node, complain: (node: ts.Node, message: string) => void) => void

function complaintsOf({ path, text }: Source, visit: Visit): string[] {
  const complaints: string[] = []
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const complain = (node: ts.Node, message: string) =>
    complaints.push(`${path}:${lineAt(text, node.getStart())}: ${message}`)
  const walk = (node: ts.Node) => {
    visit(node, complain)
    ts.forEachChild(node, walk)
  }
  walk(file)
  return complaints
}

const AMOUNTS = new Set(
  [
    'amount amounts balance change cost costs discount discounts eligible fee goods gross net paid price prices refunded',
    'remaining rupiah subtotal tax taxes tendered total totals',
  ].flatMap((line) => line.split(' ')),
)
const TIMES_OR_OVER = new Set([
  ts.SyntaxKind.AsteriskToken,
  ts.SyntaxKind.AsteriskEqualsToken,
  ts.SyntaxKind.AsteriskAsteriskToken,
  ts.SyntaxKind.SlashToken,
  ts.SyntaxKind.SlashEqualsToken,
  ts.SyntaxKind.PercentToken,
  ts.SyntaxKind.PercentEqualsToken,
])

/** The words of the names in an expression: `unitPrice` is unit and price. */
function wordsIn(node: ts.Node): string[] {
  const own = ts.isIdentifier(node) ? node.text.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase()) : []
  const inner: string[] = []
  ts.forEachChild(node, (child) => void inner.push(...wordsIn(child)))
  return [...own, ...inner]
}

/** Amounts are multiplied and divided only in core/money.ts, which is exact. An amount is recognised by its name. */
export const amountsAreCountedInOnePlace: Rule = (sources) =>
  sources
    .filter(
      ({ path }) =>
        /^(src\/(core|platform|areas)|reference-partners\/src)\//.test(path) && path !== 'src/core/money.ts',
    )
    .flatMap((source) =>
      complaintsOf(source, (node, complain) => {
        if (!ts.isBinaryExpression(node) || !TIMES_OR_OVER.has(node.operatorToken.kind)) return
        const word = wordsIn(node).find((name) => AMOUNTS.has(name))
        if (word !== undefined)
          complain(node, `"${node.getText()}" counts with an amount (${word}): src/core/money.ts does that`)
      }),
    )

const ENVELOPE = 'src/platform/http/envelope.ts'
/** The document describes the envelope; it answers nothing. */
const DESCRIBES = 'src/platform/http/openapi-components.ts'

/** The envelope is written in one place, so that every answer has the same. */
export const envelopeIsWrittenInOnePlace: Rule = (sources) =>
  sources
    .filter(
      ({ path }) =>
        path.startsWith('src/') && path.endsWith('.ts') && path !== ENVELOPE && path !== DESCRIBES,
    )
    .flatMap((source) =>
      complaintsOf(source, (node, complain) => {
        const names = ts.isObjectLiteralExpression(node)
          ? node.properties.map((each) => each.name?.getText())
          : []
        const isObject = names.includes('data') && (names.includes('error') || names.includes('meta'))
        const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node)
        if (isObject || (isText && /"(data|error|meta)":.*"(error|meta)":/.test(node.text)))
          complain(node, `only ${ENVELOPE} writes data, error and meta`)
      }),
    )

/** Each planted edit still fits its file, once, and its tests are there, so that a run of the mutants means something. */
export const mutantsFit = (mutants: readonly Mutant[], sources: readonly Source[]): string[] => {
  const texts = new Map(sources.map(({ path, text }) => [path, text]))
  const exists = (test: string) => texts.has(test) || sources.some(({ path }) => path.startsWith(`${test}/`))
  return mutants.flatMap(({ file, from, breaks, tests }) => [
    ...((texts.get(file) ?? '').split(from).length === 2
      ? []
      : [`${file}: the mutant "${breaks}" does not fit`]),
    ...tests
      .filter((test) => !exists(test))
      .map((test) => `${test}: the mutant "${breaks}" must be caught by this test, which does not exist`),
  ])
}
