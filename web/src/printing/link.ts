import { type Outcome, printOn } from './attempt.ts'
import type { PrinterChoice } from './choice.ts'
import { type Connection, DeviceForgotten, PrinterFault } from './connection.ts'
import { loadApi } from './devices.ts'
import { usePrinter } from './printer-store.ts'

/** Bluetooth sends no event when a printer is switched on, nor does a driver that releases its device. */
const RETRY_MS = 5_000

let connection: Connection | null = null
let opening: Promise<Connection> | null = null
let lose: (() => void) | null = null

/** Rejects a pending write when the device disconnects; some browsers leave it pending. */
function endingWhenLost(opened: Connection, lost: Promise<never>): Connection {
  const { askStatus } = opened
  return {
    ...opened,
    write: (bytes) => Promise.race([opened.write(bytes), lost]),
    ...(askStatus && { askStatus: (ms: number) => Promise.race([askStatus(ms), lost]) }),
  }
}

async function openDevice({ device }: PrinterChoice): Promise<Connection> {
  if (device.kind === 'rawbt') throw new PrinterFault('UNREACHABLE')
  const { link } = usePrinter.getState()
  if (link !== 'closed') usePrinter.setState({ link: 'opening' })
  const api = await loadApi(device.kind)
  let isLost = false
  let noteLost = () => {}
  const lost = new Promise<never>((_, reject) => {
    noteLost = () => reject(new PrinterFault('CONNECTION_LOST'))
  })
  lost.catch(() => {})
  lose = () => {
    isLost = true
    noteLost()
    connection = null
    usePrinter.setState({ link: 'closed', fault: 'UNREACHABLE' })
  }
  const opened = await api.open(device, () => lose?.())
  // The device may be gone again before it is open.
  if (isLost) {
    await opened.close()
    throw new PrinterFault('CONNECTION_LOST')
  }
  connection = endingWhenLost(opened, lost)
  usePrinter.setState({ link: 'open', fault: null })
  return connection
}

/** The open printer. Throws a PrinterFault, or DeviceForgotten if a person has to choose it again. */
export async function openPrinter(choice: PrinterChoice): Promise<Connection> {
  if (connection) return connection
  opening ??= openDevice(choice).finally(() => {
    opening = null
  })
  try {
    return await opening
  } catch (error) {
    const isForgotten = error instanceof DeviceForgotten
    const fault = error instanceof PrinterFault ? error.reason : 'UNREACHABLE'
    usePrinter.setState({ link: isForgotten ? 'forgotten' : 'closed', fault: isForgotten ? null : fault })
    throw error
  }
}

export async function closePrinter() {
  const open = connection ?? (await opening?.catch(() => null))
  connection = null
  lose = null
  await open?.close().catch(() => {})
}

/** Prints one paper. A connection that failed in the middle is opened anew for the next one. */
export async function printBytes(choice: PrinterChoice, bytes: Uint8Array): Promise<Outcome> {
  let open: Connection
  try {
    open = await openPrinter(choice)
  } catch (error) {
    const reason = error instanceof PrinterFault ? error.reason : 'UNREACHABLE'
    return { isPrinted: false, reason, mayHavePrinted: false }
  }
  const outcome = await printOn(open, bytes)
  const { link } = usePrinter.getState()
  if (outcome.isPrinted) usePrinter.setState({ fault: null })
  else {
    usePrinter.setState({ fault: outcome.reason })
    const isTorn = outcome.reason === 'CONNECTION_LOST' || outcome.reason === 'NO_ANSWER'
    if (isTorn && link === 'open') await closePrinter()
  }
  return outcome
}

/** Opens the printer whenever it can be reached, until the returned function is called. */
export function keepOpen(choice: PrinterChoice, onOpen: () => void): () => void {
  const { kind } = choice.device
  if (kind === 'rawbt') return () => {}
  let isStopped = false
  let unwatch = () => {}
  const attempt = async () => {
    if (isStopped || connection !== null || usePrinter.getState().link === 'forgotten') return
    await openPrinter(choice).then(onOpen, () => {})
  }
  void loadApi(kind).then((api) => {
    if (!isStopped) unwatch = api.watch(() => void attempt())
  })
  const timer = setInterval(() => void attempt(), RETRY_MS)
  void attempt()
  return () => {
    isStopped = true
    unwatch()
    clearInterval(timer)
  }
}
