import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The districts in the order of the README: the till first. */
const DISTRICTS = [
  'selling',
  'catalogue',
  'stock',
  'dining',
  'workspace',
  'marketing',
  'partners',
  'insight',
] as const

export type Room = { district: string; name: string; purpose: string }

const foldersIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()

/** The first line of a room's `index.ts` says what the room is for. Throws if a room or a district has no place in the table. */
export function readRooms(areas: string): Room[] {
  const unknown = foldersIn(areas).filter((district) => !DISTRICTS.some((known) => known === district))
  if (unknown.length > 0) throw new Error(`Add ${unknown.join(', ')} to DISTRICTS in scripts/lib/rooms.ts`)
  return DISTRICTS.flatMap((district) =>
    foldersIn(join(areas, district)).map((name) => {
      const text = readFileSync(join(areas, district, name, 'index.ts'), 'utf8')
      const purpose = /^\/\*\* (.+) \*\/\n/.exec(text)?.[1]
      if (purpose === undefined)
        throw new Error(`The first line of src/areas/${district}/${name}/index.ts must be a docstring`)
      return { district, name, purpose }
    }),
  )
}

/** Replaces what stands between `<!-- name -->` and `<!-- end of name -->` in a page. Throws if the page lacks the marks. */
export function withPart(page: string, name: string, part: string): string {
  const marks = new RegExp(`(<!-- ${name}\\b[^\\n]*-->\\n)[^]*?(\\n<!-- end of ${name} -->)`)
  if (!marks.test(page)) throw new Error(`The page has no marks for ${name}`)
  return page.replace(marks, (_, head: string, tail: string) => `${head}\n${part}\n${tail}`)
}
