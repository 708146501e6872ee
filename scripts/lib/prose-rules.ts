import ts from 'typescript'
import type { Source } from './source-rules.ts'

/** How names and sentences are written (CONTRIBUTING, "Plain words"). Each rule returns its complaints. */

/** Phrases that hide the subject of a sentence, each with what to write instead. */
const PHRASES: readonly (readonly [phrase: string, instead: string])[] = [
  ['whoever', 'name the person or the program'],
  // Not the user of that name.
  ["(?<!['`]|or )nobody", '"no one", or name who is excluded'],
  ['somebody', 'name the person or the program'],
  ['something', 'name the thing'],
  ['that which', 'name the thing'],
  ['(?:is|are|was|were|be) told', '"receives" or "learns"'],
  ['tells? of', '"reports" or "announces"'],
  ['of (?:its|their) own', '"its own" before the noun'],
  ['at once', '"immediately" or "in one statement"'],
  ['goes on', '"continues"'],
  ['lets? go', '"releases"'],
  ['bear to', 'say what happens'],
  ['in vain', '"without effect"'],
]
const PHRASE = new RegExp(`\\b(?:${PHRASES.map(([phrase]) => `(${phrase})`).join('|')})\\b`, 'gi')

const isRead = ({ path }: Source) =>
  (/^(?:src|client\/src)\/.*\.ts$/.test(path) && !path.includes('/generated/')) ||
  /^(?:docs\/.*|README|ARCHITECTURE|CONTRIBUTING|SECURITY)\.md$/.test(path) ||
  path === 'openapi.json'

const lineAt = (text: string, at: number) => text.slice(0, at).split('\n').length

/** Comments, messages and pages say who does what. */
export const sentencesArePlain = (sources: readonly Source[]): string[] =>
  sources.filter(isRead).flatMap(({ path, text }) =>
    [...text.matchAll(PHRASE)].map((match) => {
      const phrase = match.slice(1).findIndex((part) => part !== undefined)
      return `${path}:${lineAt(text, match.index)}: write ${PHRASES[phrase]?.[1]} instead of "${match[0]}"`
    }),
  )

/** Participles and the like, which name a role in one sentence of one file. */
const BARE = new Set(
  [
    'Asked Begun Bound Checked Copied Counted Described Done Drawn Due Earned Ended Entered Filled Followed Found Given',
    'Handed Held Kept Known Labelled Left Listed Lowered Made Meant Means Moved Named Opened Opening Owed Paid Parsed',
    'Place Placed Printed Proven Reached Read Reading Received Recorded Refused Returned Saved Screened Seen Sent Shipped',
    'Shown Signed Sold Split Standing Stored Taken Told Travelling Typed Undone Valued Waiting Wanted Watched Which Wish',
    'With Within Written',
  ].flatMap((line) => line.split(' ')),
)

type Declared = { name: string; path: string; line: number; isExported: boolean }

function typesIn({ path, text }: Source): Declared[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  return file.statements.flatMap((node) => {
    const isType =
      ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)
    if (!isType || !node.name) return []
    const isExported = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false
    return [{ name: node.name.text, path, line: lineAt(text, node.getStart()), isExported }]
  })
}

const isOfService = ({ path }: Source) =>
  /^src\/.*\.ts$/.test(path) && !path.startsWith('src/reference-partners/')
const isTyped = ({ path }: Source) =>
  /^(?:src|reference-partners|client\/src|bench|scripts)\/.*\.ts$/.test(path)

/** A type is named for a thing, and no two exported types of the service share a name. */
export function typesAreNamedForThings(sources: readonly Source[]): string[] {
  const bare = sources
    .filter(isTyped)
    .flatMap(typesIn)
    .filter(({ name }) => BARE.has(name))
    .map(({ name, path, line }) => `${path}:${line}: name the thing: ${name} says nothing outside this file`)
  const exported = new Map<string, Declared[]>()
  for (const type of sources.filter(isOfService).flatMap(typesIn)) {
    if (type.isExported) exported.set(type.name, [...(exported.get(type.name) ?? []), type])
  }
  const shared = [...exported.values()]
    .filter((types) => types.length > 1)
    .map(([first, ...others]) => {
      const elsewhere = others.map(({ path, line }) => `${path}:${line}`).join(', ')
      return `${first?.path}:${first?.line}: the exported type ${first?.name} is also in ${elsewhere}`
    })
  return [...bare, ...shared]
}
