import { fromBase64, toBase64 } from './base64.ts'
import type { PrinterChoice } from './choice.ts'
import { printBytes } from './link.ts'
import { usePrinter } from './printer-store.ts'

/** A paper that this browser made itself. A pulse to the drawer is not repeated later. */
export type Paper = { bytes: Uint8Array; isDrawer?: boolean; mayHavePrinted?: boolean }

/** Papers of a printer that are not printed yet, on disk: a kitchen slip survives a reload of the page. */
const keyOf = ({ printer }: PrinterChoice) => `kasir-print-papers:${printer.id}`

function readStored(choice: PrinterChoice): Paper[] {
  try {
    const stored = JSON.parse(localStorage.getItem(keyOf(choice)) ?? '[]') as {
      bytes: string
      mayHavePrinted: boolean
    }[]
    return stored.map(({ bytes, mayHavePrinted }) => ({ bytes: fromBase64(bytes), mayHavePrinted }))
  } catch {
    return []
  }
}

function store(choice: PrinterChoice, papers: readonly Paper[]) {
  const kept = papers
    .filter(({ isDrawer }) => !isDrawer)
    .map(({ bytes, mayHavePrinted = false }) => ({ bytes: toBase64(bytes), mayHavePrinted }))
  try {
    localStorage.setItem(keyOf(choice), JSON.stringify(kept))
  } catch {
    // Storage is full or blocked: the papers stay in this page.
  }
}

/** Puts a slip with SALINAN before the bytes, because they end with a cut. */
async function asCopy(bytes: Uint8Array): Promise<Uint8Array> {
  const { COLUMNS, escposOf } = await import('../core-paper.ts')
  const mark = escposOf([{ kind: 'banner', text: 'SALINAN' }], COLUMNS['58'], 'ASCII')
  return Uint8Array.of(...mark, ...bytes)
}

/** The papers that this browser made itself, in their order. Those that failed wait for a person. */
export function paperQueue(choice: PrinterChoice) {
  const waiting: Paper[] = []
  /** The papers of a page that was closed wait like those that failed. */
  let failed = readStored(choice)
  const note = (current: readonly Paper[] = []) => {
    store(choice, [...failed, ...current, ...waiting])
    usePrinter.setState({ unprinted: failed.length })
  }
  const fail = (paper: Paper) => {
    failed.push(paper)
    note()
  }
  const dropFailed = () => {
    failed = []
    note()
    usePrinter.setState({ fault: null })
  }
  const print = async (paper: Paper) => {
    // If the page closes now, it is unknown how much was printed.
    note([{ ...paper, mayHavePrinted: true }])
    const bytes = paper.mayHavePrinted ? await asCopy(paper.bytes) : paper.bytes
    const outcome = await printBytes(choice, bytes)
    if (outcome.isPrinted || paper.isDrawer) note()
    else fail({ ...paper, mayHavePrinted: paper.mayHavePrinted === true || outcome.mayHavePrinted })
  }
  note()
  return {
    add: (paper: Paper) => {
      waiting.push(paper)
      note()
    },
    retryFailed: () => {
      waiting.push(...failed)
      dropFailed()
    },
    dropFailed,
    printAll: async () => {
      for (let paper = waiting.shift(); paper; paper = waiting.shift()) {
        const current = paper
        await print(current).catch((error: unknown) => {
          // The code of the copy could not be loaded: the paper stays.
          fail(current)
          throw error
        })
      }
    },
  }
}
