/** The papers that the browser and the service make by the same rules. Apart from core.ts, because it loads code pages. */

export { drawerKick, escposOf } from '../../src/core/paper/escpos.ts'
export { localTime } from '../../src/core/paper/format.ts'
export { slipsOf } from '../../src/core/paper/kitchen-slips.ts'
export { COLUMNS } from '../../src/core/paper/layout.ts'
export { receiptRows } from '../../src/core/paper/receipt.ts'
export { centered, type PaperRow, pair } from '../../src/core/paper/rows.ts'
