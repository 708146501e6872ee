import {
  addRepeats,
  addToIndex,
  type CellProblem,
  type CsvColumn,
  type CsvRow,
  type FileIndex,
  groupOf,
  type HeaderFault,
  keyOf,
  newIndex,
  type ProductGroup,
  readHeader,
  readRow,
} from '../../../core-catalogue.ts'

export type CsvRefusal = {
  /** The row number in a spreadsheet, where the header is row 1. */
  row: number
  column: string
  product: string
  /** The end of a key of the dictionary, or the service's own sentence. */
  problem: CellProblem | HeaderFault['problem'] | 'noPrice' | { sentence: string }
  value?: string
  otherRow?: number
}

/** The longest texts that the service takes, checked here so that the trial names their rows. */
const MOST_LETTERS: Partial<Record<CsvColumn, number>> = {
  product: 160,
  description: 2_000,
  image_url: 600,
  station: 40,
  variant: 80,
  sku: 64,
  barcode: 64,
}
const MOST: Partial<Record<CsvColumn, number>> = {
  price: 1_000_000_000,
  cost: 1_000_000_000,
  sort_order: 1_000_000,
}

function boundFaults({ row, cells }: CsvRow): CsvRefusal[] {
  return Object.entries(cells).flatMap(([name, value]): CsvRefusal[] => {
    const column = name as CsvColumn
    const refusal = { row, column, product: cells.product ?? '' }
    const letters = MOST_LETTERS[column] ?? Infinity
    if ([...value].length > letters) return [{ ...refusal, problem: 'long', value: String(letters) }]
    return Number(value) > (MOST[column] ?? Infinity) ? [{ ...refusal, problem: 'whole', value }] : []
  })
}

/** The refusals of a product by its cells. */
export const refusalsIn = ({ faults, rows, product }: ProductGroup): CsvRefusal[] => [
  ...faults.map((fault) => ({ ...fault, product: product.name ?? '' })),
  ...rows.flatMap(boundFaults),
]

/** The products of a catalogue file: the rows with one key, wherever they stand. A misspelt column refuses the file. */
export function readGroups(
  table: readonly (readonly string[])[],
): { groups: ProductGroup[]; index: FileIndex } | HeaderFault {
  const [names = [], ...lines] = table
  const header = readHeader(names)
  if ('problem' in header) return header
  const products = new Map<string, CsvRow[]>()
  for (const [at, line] of lines.entries()) {
    if (line.every((cell) => cell.trim() === '')) continue
    const row = readRow(header, line, at + 2)
    const key = keyOf(row.cells)
    const rows = products.get(key)
    if (rows) rows.push(row)
    else products.set(key, [row])
  }
  const groups = [...products.values()].map(groupOf)
  const index = newIndex()
  for (const group of groups) addToIndex(index, group)
  return { groups: groups.map((group) => addRepeats(group, index)), index }
}
