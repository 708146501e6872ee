import { isKasirError } from 'kasir-client'
import { isOnline } from '../app/line.ts'
import type { PrinterChoice } from './choice.ts'
import { isSignedIn, readFailed, readQueue, releaseOld, reportKept, takeJob } from './jobs.ts'
import { printBytes } from './link.ts'
import { usePrinter } from './printer-store.ts'
import { handToRawBt } from './rawbt.ts'

/** A moment beyond the time that a job is due. */
const MARGIN_MS = 50

/** Prints papers of this browser and jobs of the service, one after the other. */
export function startWorker(choice: PrinterChoice) {
  const papers: Uint8Array[] = []
  let isStopped = false
  let isWanted = false
  let hasReleased = false
  let running: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const printPapers = async () => {
    for (let paper = papers.shift(); paper && !isStopped; paper = papers.shift())
      await printBytes(choice, paper)
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

  return {
    wake,
    print: (bytes: Uint8Array) => {
      papers.push(bytes)
      wake()
    },
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
