import { connect, type Printer, printersList } from 'kasir-client'
import { fetchUntil, POLL_MS } from '../app/live.ts'
import { call } from '../app/service.ts'
import { useTill } from '../app/till.ts'
import { liveChanges } from '../offline/catalogue-changes.ts'
import { type PrinterChoice, readChoice, storeChoice, toTillPrinter } from './choice.ts'
import type { KnownDevice } from './connection.ts'
import { loadApi } from './devices.ts'
import { dismiss, isSignedIn } from './jobs.ts'
import { closePrinter, keepOpen } from './link.ts'
import type { Paper } from './papers.ts'
import { INITIAL_STATE, usePrinter } from './printer-store.ts'
import { handToRawBt } from './rawbt.ts'
import { listenToPrinterTabs, shareState, tellPrinterTabs } from './tabs.ts'
import { startWorker } from './worker.ts'

/** One tab of a browser holds this lock and prints. */
const LOCK = 'kasir-printer'
/** How often jobs are read while the live stream is open, because it can miss a change. */
const AT_LEAST_MS = 60_000

type Worker = ReturnType<typeof startWorker>
let worker: Worker | null = null
/** Ends the turn of this tab. */
let release: (() => void) | null = null
/** This tab keeps the lock and starts again with the device that it has just chosen. */
let keepsTurn = false
let hasStarted = false

/** The TILL printers of this till. */
export async function readOwnPrinters(): Promise<readonly Printer[]> {
  const { till } = useTill.getState()
  if (till === null) return []
  const { printers } = await call(printersList, { outletId: till.outletId })
  return printers.filter(({ kind, tillId }) => kind === 'TILL' && tillId === till.id)
}

/** Reads the printer again: it may be renamed, deleted, or that of another till now. */
async function refreshPrinter(choice: PrinterChoice) {
  const own = (await readOwnPrinters()).find(({ id }) => id === choice.printer.id)
  if (!own) return forgetPrinter()
  const present = { ...choice, printer: toTillPrinter(own) }
  storeChoice(present)
  usePrinter.setState({ choice: present })
}

/** Follows the jobs of the printer on the live stream, and reads them every few seconds while it is lost. */
function followJobs(choice: PrinterChoice, wake: () => void): () => void {
  const stop = new AbortController()
  let isLost = true
  let readMs = 0
  const look = () => {
    readMs = Date.now()
    wake()
  }
  const follow = async () => {
    const noteLost = () => {
      isLost = true
    }
    const connection = connect({ baseUrl: window.location.origin, fetch: fetchUntil(noteLost) })
    for await (const change of liveChanges(connection, {
      outletId: choice.printer.outletId,
      signal: stop.signal,
    })) {
      isLost = false
      if (change.kind === 'readAll') void refreshPrinter(choice).catch(() => {})
      if (change.kind === 'readAll' || change.topic === 'print') look()
    }
  }
  let isFollowing = false
  const keepFollowing = () => {
    if (!isSignedIn() || stop.signal.aborted) return
    if (!isFollowing) {
      isFollowing = true
      // If the service refuses the stream, for example because there are too many, the jobs are polled.
      void follow()
        .catch(() => {})
        .finally(() => {
          isLost = true
          isFollowing = false
        })
    }
    if (Date.now() - readMs >= (isLost ? POLL_MS : AT_LEAST_MS)) look()
  }
  const timer = setInterval(keepFollowing, POLL_MS)
  keepFollowing()
  return () => {
    clearInterval(timer)
    stop.abort()
  }
}

/** Prints until the turn of this tab ends. */
async function takeTurn(choice: PrinterChoice) {
  const ended = new Promise<void>((resolve) => {
    release = resolve
  })
  usePrinter.setState({
    ...INITIAL_STATE,
    isHolder: true,
    link: choice.device.kind === 'rawbt' ? 'open' : 'opening',
  })
  worker = startWorker(choice)
  const { wake, stop } = worker
  const close = keepOpen(choice, wake)
  const unfollow = followJobs(choice, wake)
  await ended
  unfollow()
  close()
  worker = null
  await stop()
  await closePrinter()
  usePrinter.setState({ ...INITIAL_STATE, isHolder: false })
}

/** Waits until this tab may print. */
async function queueForTurn() {
  const { choice } = usePrinter.getState()
  if (choice === null) return
  const turn = async () => {
    do {
      keepsTurn = false
      const present = usePrinter.getState().choice
      if (present !== null) await takeTurn(present)
    } while (keepsTurn)
  }
  // Outside of a secure context there are no locks. Only RawBT works there, and it prints by a tap.
  if ('locks' in navigator) await navigator.locks.request(LOCK, turn)
  else await turn()
  if (usePrinter.getState().choice !== null) void queueForTurn()
}

const readChoiceAgain = () => {
  const before = usePrinter.getState().choice
  const choice = readChoice()
  usePrinter.setState({ choice, ...(choice === null && INITIAL_STATE) })
  release?.()
  if (before === null) void queueForTurn()
}

/** Starts printing if this browser has a printer. The page calls it once. */
export function startTillPrinter() {
  if (hasStarted) return
  hasStarted = true
  const share = shareState()
  listenToPrinterTabs((message) => {
    const { isHolder } = usePrinter.getState()
    if (message.kind === 'choice') readChoiceAgain()
    if (message.kind === 'state' && !isHolder) usePrinter.setState(message.state)
    if (!isHolder) return
    if (message.kind === 'ask') share()
    if (message.kind === 'paper') worker?.print(message.paper)
    if (message.kind === 'again') worker?.printAgain()
    if (message.kind === 'drop') worker?.dropFailed()
    if (message.kind === 'work') worker?.wake()
    if (message.kind === 'dismiss') dismiss(message.ids)
  })
  void queueForTurn()
  tellPrinterTabs({ kind: 'ask' })
}

/** Stores the device for this browser, and starts printing with it. */
function choosePrinter(choice: PrinterChoice | null) {
  const { choice: before, isHolder } = usePrinter.getState()
  keepsTurn = isHolder
  storeChoice(choice)
  usePrinter.setState({ choice, ...(choice === null && INITIAL_STATE) })
  tellPrinterTabs({ kind: 'choice' })
  release?.()
  if (before === null && hasStarted) void queueForTurn()
}

/** Lets a person choose the device of a printer in the dialog of the browser. Needs a tap. */
export async function connectPrinter(printer: Printer, kind: KnownDevice['kind'], baudRate: number) {
  const { till } = useTill.getState()
  if (till === null) return
  const device = kind === 'rawbt' ? { kind, name: 'RawBT' } : await (await loadApi(kind)).choose(baudRate)
  if (device === null) return
  choosePrinter({ tillId: till.id, printer: toTillPrinter(printer), device })
  startTillPrinter()
}

export const forgetPrinter = () => choosePrinter(null)

/** Prints a paper on the printer of this browser, in the tab that prints. */
export function printPaper(paper: Paper) {
  const { choice } = usePrinter.getState()
  if (choice?.device.kind === 'rawbt') handToRawBt(paper.bytes)
  else if (worker) worker.print(paper)
  else tellPrinterTabs({ kind: 'paper', paper })
}

/** Prints the papers of this browser again that failed. */
export function printAgain() {
  if (worker) worker.printAgain()
  else tellPrinterTabs({ kind: 'again' })
}

/** Looks for jobs immediately, because this page has just queued one. */
export async function checkForJobs() {
  if (worker && usePrinter.getState().choice?.device.kind === 'rawbt') await worker.handOver()
  else if (worker) worker.wake()
  else tellPrinterTabs({ kind: 'work' })
}

/** Closes the band: the papers of this browser are discarded, and the service keeps its jobs. */
export function dismissFailed(ids: readonly string[]) {
  dismiss(ids)
  if (worker) worker.dropFailed()
  else tellPrinterTabs({ kind: 'drop' })
  tellPrinterTabs({ kind: 'dismiss', ids })
}
