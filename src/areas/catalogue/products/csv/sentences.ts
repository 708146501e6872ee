import { type CellFault, type CellProblem, COLUMNS } from '../../../../core/catalogue-file/columns.ts'
import type { HeaderFault, RowFault } from '../../../../core/catalogue-file/groups.ts'

/** Why a header is refused. */
export const HEADER_SENTENCES: Readonly<Record<HeaderFault['problem'], (column: string) => string>> = {
  unknownColumn: (column) => `"${column}" is not a catalogue column; the columns are ${COLUMNS.join(', ')}`,
  columnTwice: (column) => `The column ${column} appears in the header twice`,
  noProductColumn: () => 'The file needs a column named product',
}

const SENTENCES: Readonly<Record<CellProblem, (fault: CellFault) => string>> = {
  yesOrNo: ({ value }) => `"${value}" is neither yes nor no`,
  whole: ({ value }) => `"${value}" is not a whole number; write 18000, without points, commas or Rp`,
  taxRate: ({ value }) =>
    `"${value}" is not a rate in basis points; write 1100 for 11%, or nothing for the rate of the outlet`,
  kind: ({ value }) => `"${value}" is neither GOODS nor SERVICE`,
  soldBy: ({ value }) => `"${value}" is neither UNIT nor WEIGHT`,
  firstBarcode: () => 'More barcodes need a first one; write it into the column barcode',
  pack: ({ value }) => `"${value}" is not a pack; write name;factor;barcode;price, such as Strip;10;;12000`,
  long: ({ value }) => `A name can have at most ${value} characters`,
  noProduct: () => 'The name is missing',
  moreCells: () => 'The row has more cells than the header',
  differs: ({ otherRow }) => `Differs from row ${otherRow}; all rows of a product must agree on it`,
  otherProduct: ({ column, otherRow }) =>
    `This ${column === 'sku' ? 'SKU' : 'barcode'} belongs to a different product from the one in row ${otherRow}`,
  ambiguous: ({ value }) => `${value} products have this name; add product_id or a SKU to say which`,
  onSale: ({ value }) =>
    `${value} is on sale under another name; write that name to deactivate it, or empty this cell`,
  repeated: ({ value, otherRow }) => `${value} is already used in row ${otherRow}`,
}

/** A line of the report: a row that is refused, and the reason as a sentence. */
export type ReportLine = Pick<RowFault, 'row' | 'column'> & { problem: string }

/** Writes a fault of a cell as a line of the report. */
export const toReportLine = (fault: RowFault): ReportLine => ({
  row: fault.row,
  column: fault.column,
  problem: SENTENCES[fault.problem](fault),
})
