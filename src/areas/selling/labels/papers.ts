/** The positions of labels on a paper, in millimetres. `left` and `top` are the corner of the first label. */
export type LabelPaper = {
  page: { width: number; height: number }
  label: { width: number; height: number }
  columns: number
  rows: number
  left: number
  top: number
  /** The distance from one label to the next. */
  stepX: number
  stepY: number
  /** A dot of a label printer: bars are a whole number of dots wide. Null on sheets, which office printers print. */
  dot: number | null
}

const A4 = { width: 210, height: 297 }

/** Common label sheets; the labels are centred on the page. `gap` is between columns; rows touch. */
const sheet = (columns: number, rows: number, label: LabelPaper['label'], gap = 0): LabelPaper => ({
  page: A4,
  label,
  columns,
  rows,
  left: (A4.width - columns * label.width - (columns - 1) * gap) / 2,
  top: (A4.height - rows * label.height) / 2,
  stepX: label.width + gap,
  stepY: label.height,
  dot: null,
})

/** Label printers have 203 dots per inch. */
const DOT = 25.4 / 203
const roll = (width: number, height: number): LabelPaper => ({
  page: { width, height },
  label: { width, height },
  columns: 1,
  rows: 1,
  left: 0,
  top: 0,
  stepX: width,
  stepY: height,
  dot: DOT,
})

export const PAPERS = {
  A4_21: sheet(3, 7, { width: 63.5, height: 38.1 }, 2.5),
  A4_24: sheet(3, 8, { width: 70, height: 37 }),
  A4_40: sheet(4, 10, { width: 52.5, height: 29.7 }),
  A4_65: sheet(5, 13, { width: 38.1, height: 21.2 }, 2.5),
  ROLL_40X30: roll(40, 30),
  ROLL_50X30: roll(50, 30),
  ROLL_58X40: roll(58, 40),
  ROLL_80X50: roll(80, 50),
} as const satisfies Record<string, LabelPaper>
export type PaperName = keyof typeof PAPERS
export const LABEL_PAPERS = Object.keys(PAPERS) as PaperName[]
