import { type DeviceApi, DeviceForgotten, isCancelled, type KnownDevice, PrinterFault } from './connection.ts'
import { statusReader } from './status-reader.ts'

// The package @point-of-sale/webserial-receipt-printer logs a failure to open or write and answers as if it had
// succeeded, so a job could not say why it failed. This file uses the API of the browser directly.

const isSame = (port: SerialPort, { vendorId, productId }: KnownDevice) => {
  const { usbVendorId, usbProductId } = port.getInfo()
  return usbVendorId === vendorId && usbProductId === productId
}

async function choose(baudRate: number): Promise<KnownDevice | null> {
  const port = await navigator.serial.requestPort().catch((error: unknown) => {
    if (isCancelled(error)) return null
    throw error
  })
  if (port === null) return null
  const { usbVendorId: vendorId, usbProductId: productId } = port.getInfo()
  return {
    kind: 'serial',
    name: vendorId === undefined ? 'COM' : `USB ${vendorId.toString(16)}:${(productId ?? 0).toString(16)}`,
    ...(vendorId !== undefined && { vendorId }),
    ...(productId !== undefined && { productId }),
    baudRate,
  }
}

async function read(port: SerialPort, take: (bytes: Uint8Array) => void) {
  const reader = port.readable?.getReader()
  if (!reader) return null
  const run = async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      take(value)
    }
  }
  const ended = run()
    .catch(() => {})
    .finally(() => reader.releaseLock())
  return {
    stop: async () => {
      await reader.cancel().catch(() => {})
      await ended
    },
  }
}

async function open(device: KnownDevice, onLost: () => void) {
  const granted = await navigator.serial.getPorts()
  const port = granted.find((each) => isSame(each, device))
  if (!port) {
    // A USB port that is unplugged is not listed; any other one was taken away from this browser.
    if (device.vendorId !== undefined) throw new PrinterFault('UNREACHABLE')
    throw new DeviceForgotten()
  }
  const { baudRate = 9_600 } = device
  await port.open({ baudRate, bufferSize: 4_096 }).catch((error: unknown) => {
    // An unplugged port fails by the same error as one that another program holds.
    throw new PrinterFault(port.connected === false ? 'UNREACHABLE' : 'DRIVER_BUSY', error)
  })
  let writer: WritableStreamDefaultWriter<Uint8Array> | undefined
  const write = async (bytes: Uint8Array) => {
    writer = port.writable?.getWriter()
    if (!writer) throw new PrinterFault('CONNECTION_LOST')
    const own = writer
    try {
      await own.write(bytes)
      await own.ready
    } finally {
      own.releaseLock()
      if (writer === own) writer = undefined
    }
  }
  const status = statusReader(write)
  const reading = await read(port, status.take)
  port.addEventListener('disconnect', onLost)
  return {
    write,
    askStatus: status.ask,
    bytesPerSecond: baudRate / 10,
    close: async () => {
      port.removeEventListener('disconnect', onLost)
      await reading?.stop()
      // A write that hangs holds the port.
      await writer?.abort().catch(() => {})
      await port.close().catch(() => {})
    },
  }
}

export const serial: DeviceApi = {
  choose,
  open,
  watch: (onAttached) => {
    navigator.serial.addEventListener('connect', onAttached)
    return () => navigator.serial.removeEventListener('connect', onAttached)
  },
}
