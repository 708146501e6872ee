/** The catalogue file, which the browser reads and writes by the rules of the service. Apart from core.ts, because only the back office loads it. */

export { type CellProblem, COLUMNS, type CsvColumn, rowOf } from '../../src/core/catalogue-file/columns.ts'
export {
  addRepeats,
  addToIndex,
  type CsvRow,
  type FileIndex,
  faultOf,
  groupOf,
  type HeaderFault,
  keyOf,
  newIndex,
  type ProductGroup,
  readHeader,
  readRow,
} from '../../src/core/catalogue-file/groups.ts'
export {
  newProductOf,
  onSaleFaults,
  type ProductMatch,
  patchOf,
  targetOf,
  toProductLookup,
} from '../../src/core/catalogue-file/match.ts'
