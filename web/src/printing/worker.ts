import { isKasirError } from 'kasir-client'
import { isOnline } from '../app/line.ts'
import type { PrinterChoice } from './choice.ts'
import {
  failInterruptedJobs,
  isSignedIn,
  readFailed,
  readQueue,
  reportPendingOutcomes,
  takeJob,
} from './jobs.ts'
import { type Paper, paperQueue } from './papers.ts'
import { usePrinter } from './printer-store.ts'
import { handToRawBt } from './rawbt.ts'

/** A moment beyond the time that a job is due. */
const MARGIN_MS = 50
/** The pause after the service could not take a report or give a job. */
const RETRY_MS = 5_000

/** Jobs wait for a person while the device has to be chosen or each paper is handed over by a tap. */
function canTakeJobs({ device }: PrinterChoice) {
  const { link } = usePrinter.getState()
  return device.kind !== 'rawbt' && link !== 'forgotten' && link !== 'none'
}

type Turn = {
  choice: PrinterChoice
  printPapers(): Promise<void>
  isStopped(): boolean
  /** Looks again after this time. */
  wakeIn(ms: number): void
}

/** Prints the jobs that are due, the oldest first, and papers of this browser between them. */
async function printJobs({ choice, printPapers, isStopped, wakeIn }: Turn) {
  const tried = new Set<string>()
  for (;;) {
    await printPapers()
    const { due, nextMs } = await readQueue(choice)
    if (Number.isFinite(nextMs)) wakeIn(nextMs + MARGIN_MS)
    const job = due.find(({ id, attempts }) => !tried.has(`${id} ${attempts}`))
    if (!job || isStopped() || !canTakeJobs(choice)) return
    tried.add(`${job.id} ${job.attempts}`)
    await takeJob(choice, job)
  }
}

/** Hands the next job to RawBT. Called by a tap, because a browser opens another app only then. */
async function handOver(choice: PrinterChoice) {
  const { due } = await readQueue(choice)
  const [job] = due
  if (!job) return
  await takeJob(choice, job, async (bytes) => {
    handToRawBt(bytes)
    return { isPrinted: true }
  })
}

/** Prints papers of this browser and jobs of the service, one after the other. */
export function startWorker(choice: PrinterChoice) {
  const papers = paperQueue(choice)
  let [isStopped, isWanted, hasReleased] = [false, false, false]
  let running: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const turn: Turn = {
    choice,
    printPapers: papers.printAll,
    isStopped: () => isStopped,
    wakeIn: (ms) => {
      timer = setTimeout(wake, ms)
    },
  }
  const look = async () => {
    clearTimeout(timer)
    await reportPendingOutcomes()
    if (!hasReleased) await failInterruptedJobs(choice)
    hasReleased = true
    await printJobs(turn)
    await readFailed(choice)
    usePrinter.setState({ error: null })
  }
  const run = async () => {
    while (isWanted && !isStopped) {
      isWanted = false
      await papers.printAll().catch((error: unknown) => usePrinter.setState({ error }))
      if (!isSignedIn() || !isOnline()) continue
      await look().catch((error: unknown) => {
        turn.wakeIn(RETRY_MS)
        // A lost connection is not shown here: the next run tries again.
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
    print: (paper: Paper) => {
      papers.add(paper)
      wake()
    },
    printAgain: () => {
      papers.retryFailed()
      wake()
    },
    dropFailed: papers.dropFailed,
    handOver: async () => {
      await handOver(choice)
      wake()
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
