import { FAULTS } from '../core.ts'
import type { PrinterChoice } from './choice.ts'
import { printBytes } from './link.ts'
import { usePrinter } from './printer-store.ts'

/** A paper that this browser made itself. A pulse to the drawer is not repeated later. */
export type Paper = { bytes: Uint8Array; isDrawer?: boolean; mayHavePrinted?: boolean }

/** The mark is a paper before it, as with labels: the bytes of a paper are complete. */
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
  return {
    add: (paper: Paper) => void waiting.push(paper),
    addFailed: () => {
      waiting.push(...failed)
      dropFailed()
    },
    dropFailed,
    printAll: async () => {
      for (let paper = waiting.shift(); paper; paper = waiting.shift()) {
        const bytes = paper.mayHavePrinted ? await asCopy(paper.bytes) : paper.bytes
        const outcome = await printBytes(choice, bytes)
        if (outcome.isPrinted || paper.isDrawer) continue
        failed.push({ ...paper, mayHavePrinted: paper.mayHavePrinted === true || !FAULTS[outcome.reason] })
        usePrinter.setState({ unprinted: failed.length })
      }
    },
  }
}
