import type { PrinterChoice } from './choice.ts'
import { printBytes } from './link.ts'
import { usePrinter } from './printer-store.ts'

/** A paper that this browser made itself. A pulse to the drawer is not repeated later. */
export type Paper = { bytes: Uint8Array; isDrawer?: boolean; mayHavePrinted?: boolean }

/** Puts a slip with SALINAN before the bytes, because they end with a cut. */
async function asCopy(bytes: Uint8Array): Promise<Uint8Array> {
  const { COLUMNS, escposOf } = await import('../core-paper.ts')
  const mark = escposOf([{ kind: 'banner', text: 'SALINAN' }], COLUMNS['58'], 'ASCII')
  return Uint8Array.of(...mark, ...bytes)
}

/** The papers that this browser made itself, in their order. Those that failed wait for a person. */
export function paperQueue(choice: PrinterChoice) {
  const waiting: Paper[] = []
  let failed: Paper[] = []
  const dropFailed = () => {
    failed = []
    usePrinter.setState({ unprinted: 0, fault: null })
  }
  const printOne = async (paper: Paper) => {
    try {
      return await printBytes(choice, paper.mayHavePrinted ? await asCopy(paper.bytes) : paper.bytes)
    } catch (error) {
      // The code of the copy could not be loaded: the paper stays.
      failed.push(paper)
      usePrinter.setState({ unprinted: failed.length })
      throw error
    }
  }
  return {
    add: (paper: Paper) => void waiting.push(paper),
    retryFailed: () => {
      waiting.push(...failed)
      dropFailed()
    },
    dropFailed,
    printAll: async () => {
      for (let paper = waiting.shift(); paper; paper = waiting.shift()) {
        const outcome = await printOne(paper)
        if (outcome.isPrinted || paper.isDrawer) continue
        failed.push({ ...paper, mayHavePrinted: paper.mayHavePrinted === true || outcome.mayHavePrinted })
        usePrinter.setState({ unprinted: failed.length })
      }
    },
  }
}
