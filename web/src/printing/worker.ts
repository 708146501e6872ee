import { isKasirError } from 'kasir-client'
import { isOnline } from '../app/line.ts'
import { FAULTS } from '../core.ts'
import type { PrinterChoice } from './choice.ts'
import { isSignedIn, readFailed, readQueue, releaseOld, reportKept, takeJob } from './jobs.ts'
import { printBytes } from './link.ts'
import { usePrinter } from './printer-store.ts'
import { handToRawBt } from './rawbt.ts'

/** The mark is a paper before it, as with labels: the bytes of a paper are complete. */
async function asCopy(bytes: Uint8Array): Promise<Uint8Array> {
  const { COLUMNS, escposOf } = await import('../core-paper.ts')
  const mark = escposOf([{ kind: 'banner', text: 'SALINAN' }], COLUMNS['58'], 'ASCII')
  return Uint8Array.of(...mark, ...bytes)
}

/** A moment beyond the time that a job is due. */
const MARGIN_MS = 50

/** A paper that this browser made itself. A pulse to the drawer is not repeated later. */
export type Paper = { bytes: Uint8Array; isDrawer?: boolean; mayHavePrinted?: boolean }

/** Prints papers of this browser and jobs of the service, one after the other. */
export function startWorker(choice: PrinterChoice) {
  const papers: Paper[] = []
  let failed: Paper[] = []
  let isStopped = false
  let isWanted = false
  let hasReleased = false
  let running: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const printPapers = async () => {
    for (let paper = papers.shift(); paper && !isStopped; paper = papers.shift()) {
      const bytes = paper.mayHavePrinted ? await asCopy(paper.bytes) : paper.bytes
      const outcome = await printBytes(choice, bytes)
      if (outcome.isPrinted || paper.isDrawer) continue
      failed.push({ ...paper, mayHavePrinted: paper.mayHavePrinted === true || !FAULTS[outcome.reason] })
      usePrinter.setState({ unprinted: failed.length })
    }
  }

  /** Jobs wait for a person while the device has to be chosen or each paper is handed over by a tap. */
  const canTake = () => {
    const { link } = usePrinter.getState()
    return choice.device.kind !== 'rawbt' && link !== 'forgotten' && link !== 'none'
  }

  const look = async () => {
    clearTimeout(timer)
    await reportKept()
    if (!hasReleased) await releaseOld(choice)
    hasReleased = true
    const tried = new Set<string>()
    for (;;) {
      await printPapers()
      const { due, nextMs } = await readQueue(choice)
      if (Number.isFinite(nextMs)) timer = setTimeout(wake, nextMs + MARGIN_MS)
      const job = due.find(({ id, attempts }) => !tried.has(`${id} ${attempts}`))
      if (!job || isStopped || !canTake()) break
      tried.add(`${job.id} ${job.attempts}`)
      await takeJob(choice, job)
    }
    await readFailed(choice)
    usePrinter.setState({ error: null })
  }

  const run = async () => {
    while (isWanted && !isStopped) {
      isWanted = false
      await printPapers()
      if (!isSignedIn() || !isOnline()) continue
      await look().catch((error: unknown) => {
        // Without an answer the next look tries again.
        if (isKasirError(error) && error.code !== 'AUTH_REQUIRED') usePrinter.setState({ error })
      })
    }
  }

  function wake() {
    isWanted = true
    running ??= run().finally(() => {
      running = null
      if (isWanted && !isStopped) wake()
    })
  }

  function dropFailed() {
    failed = []
    usePrinter.setState({ unprinted: 0, fault: null })
  }

  return {
    wake,
    print: (paper: Paper) => {
      papers.push(paper)
      wake()
    },
    printAgain: () => {
      papers.push(...failed)
      dropFailed()
      wake()
    },
    dropFailed,
    /** Hands the next job to RawBT. Called by a tap, because a browser opens another app only then. */
    handOver: async () => {
      const { due } = await readQueue(choice)
      const [job] = due
      if (job)
        await takeJob(choice, job, async (bytes) => {
          handToRawBt(bytes)
          return { isPrinted: true }
        })
      wake()
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
