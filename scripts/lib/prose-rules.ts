import ts from 'typescript'
import type { Source } from './source-rules.ts'

/** How names and sentences are written (CONTRIBUTING, "Plain words"). Each rule returns its complaints. */

/** Phrases that hide the subject of a sentence, each with what to write instead. */
const PHRASES: readonly (readonly [phrase: string, instead: string])[] = [
  ['whoever', 'name the person or the program'],
  // The quoted name of a Unix user is allowed.
  ["(?<!['`]|or )nobody", '"no one", or name who is excluded'],
  ['somebody', 'name the person or the program'],
  // The default subject of a reminder is a decision (18.2 of the contract).
  ['(?<!You left )something', 'name the thing'],
  ['that which', 'name the thing'],
  ['(?:is|are|was|were|be) told', '"receives" or "learns"'],
  ['tells? of', '"reports" or "announces"'],
  ['of (?:its|their) own', '"its own" before the noun'],
  ['at once', '"immediately" or "in one statement"'],
  ['goes on', '"continues"'],
  ['lets? go', '"releases"'],
  ['bear to', 'say what happens'],
  ['in vain', '"without effect"'],
  // Allowed in a heading or a question.
  [String.raw`(?<!# )what is(?![^.\n]*\?)`, 'name the thing'],
]
/** A phrase may continue on the next line, in a comment or in a page. */
const SPACE = String.raw`\s+(?:(?:\*|//|--)\s+)?`
const anyOf = PHRASES.map(([phrase]) => `(${phrase.replaceAll(/(?<!#) /g, SPACE)})`).join('|')
const PHRASE = new RegExp(String.raw`\b(?:${anyOf})\b`, 'gi')

const isRead = ({ path }: Source) =>
  (/^(?:src|reference-partners\/src|client\/src)\/.*\.ts$/.test(path) && !path.includes('/generated/')) ||
  /^(?:docs\/.*|README|ARCHITECTURE|CONTRIBUTING|SECURITY)\.md$/.test(path) ||
  path === 'openapi.json'

const lineAt = (text: string, at: number) => text.slice(0, at).split('\n').length

/** Comments, messages and pages say who does what. */
export const sentencesArePlain = (sources: readonly Source[]): string[] =>
  sources.filter(isRead).flatMap(({ path, text }) =>
    [...text.matchAll(PHRASE)].map((match) => {
      const phrase = match.slice(1).findIndex((part) => part !== undefined)
      return `${path}:${lineAt(text, match.index)}: replace "${match[0].replaceAll(/\s+(?:[*/-]+\s+)?/g, ' ')}": ${PHRASES[phrase]?.[1]}`
    }),
  )

/** Words that name a role in one sentence of one file, beyond the participles that their ending shows. */
const BARE = new Set(
  [
    'Begun Bound Done Drawn Due Found Given Held Kept Known Left Made Meant Means Owed Paid Place Proven Read Seen Sent',
    'Shown Sold Split Taken Told Undone Which Wish With Within Written',
  ].flatMap((line) => line.split(' ')),
)
/** Nouns that end like a participle. */
const NOUNS = new Set(
  'Billing Binding Deed Encoding Finding Holding Keyring Listing Need Setting Warning'.split(' '),
)
const isBare = (name: string) => BARE.has(name) || (/^[A-Z][a-z]+(?:ed|ing)$/.test(name) && !NOUNS.has(name))

type DeclaredType = { name: string; path: string; line: number; isExported: boolean }

function typesIn({ path, text }: Source): DeclaredType[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  return file.statements.flatMap((node) => {
    const isType =
      ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)
    if (!isType || !node.name) return []
    const isExported = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false
    return [{ name: node.name.text, path, line: lineAt(text, node.getStart()), isExported }]
  })
}

const isOfService = ({ path }: Source) => /^src\/.*\.ts$/.test(path)
const isTyped = ({ path }: Source) =>
  /^(?:src|reference-partners|client\/src|bench|scripts)\/.*\.ts$/.test(path) && !path.includes('/generated/')

/** A type is named for a thing, and no two exported types of the service share a name. */
export function typesAreNamedForThings(sources: readonly Source[]): string[] {
  const bare = sources
    .filter(isTyped)
    .flatMap(typesIn)
    .filter(({ name }) => isBare(name))
    .map(({ name, path, line }) => `${path}:${line}: name the thing: ${name} says nothing outside this file`)
  const exported = new Map<string, DeclaredType[]>()
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
