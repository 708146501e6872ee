/** Widths of the letters from the space to the tilde in thousandths of their size (Adobe's font metrics). */
const REGULAR = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
  556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
  500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
  556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
  278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
]
const BOLD = [
  278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
  556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278,
  556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584,
  556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556,
  333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
]
/** No letter of western Europe is wider. */
const WIDEST = 1_000
const SPACE = 32

export type Face = 'regular' | 'bold'

/** How wide a text of letters of western Europe is, in points; a letter with a mark is as wide as without. */
export function widthOf(text: string, size: number, face: Face): number {
  const widths = face === 'bold' ? BOLD : REGULAR
  const thousandths = Array.from(text.normalize('NFD').replaceAll(/\p{M}/gu, ''), (character) => {
    return widths[character.charCodeAt(0) - SPACE] ?? WIDEST
  }).reduce((all, one) => all + one, 0)
  return (thousandths * size) / 1_000
}

/** Words in lines of at most that width; a word that is wider than a line is broken. */
export function wrapped(text: string, width: number, size: number, face: Face): string[] {
  const fits = (line: string) => widthOf(line, size, face) <= width
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').filter((one) => one !== '')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const character of word) {
      if (line !== '' && !fits(line + character)) {
        lines.push(line)
        line = ''
      }
      line += character
    }
  }
  return line === '' ? lines : [...lines, line]
}
