import { type DeviceApi, isCancelled, type KnownDevice, PrinterFault } from './connection.ts'
import { statusReader } from './status-reader.ts'

// The package @point-of-sale/webusb-receipt-printer logs a claim that was refused and answers as if it had succeeded.
// This file uses the API of the browser directly.

const PRINTER_CLASS = 7
/** Cheap printers call themselves a device of their maker. */
const VENDOR_CLASS = 255

async function choose(): Promise<KnownDevice | null> {
  const filters = [{ classCode: PRINTER_CLASS }, { classCode: VENDOR_CLASS }]
  const device = await navigator.usb.requestDevice({ filters }).catch((error: unknown) => {
    if (isCancelled(error)) return null
    throw error
  })
  if (device === null) return null
  const { vendorId, productId, productName, serialNumber } = device
  return {
    kind: 'usb',
    name: productName || `USB ${vendorId.toString(16)}:${productId.toString(16)}`,
    vendorId,
    productId,
    ...(serialNumber && { serialNumber }),
  }
}

const isSame = (device: USBDevice, { vendorId, productId, serialNumber }: KnownDevice) =>
  device.vendorId === vendorId &&
  device.productId === productId &&
  (serialNumber === undefined || device.serialNumber === serialNumber)

type PrinterInterface = { interfaceNumber: number; output: number; input: number | undefined }

/** The interface of the printer, with the endpoints that take bytes and answer. */
function findPrinterInterface(device: USBDevice): PrinterInterface | null {
  const places = (device.configuration?.interfaces ?? []).flatMap(({ interfaceNumber, alternate }) => {
    const { endpoints, interfaceClass } = alternate
    const bulk = endpoints.filter(({ type }) => type === 'bulk')
    const output = bulk.find(({ direction }) => direction === 'out')?.endpointNumber
    const input = bulk.find(({ direction }) => direction === 'in')?.endpointNumber
    return output === undefined ? [] : [{ interfaceNumber, interfaceClass, output, input }]
  })
  return places.find(({ interfaceClass }) => interfaceClass === PRINTER_CLASS) ?? places[0] ?? null
}

async function claim(device: USBDevice): Promise<PrinterInterface> {
  try {
    await device.open()
    if (device.configuration === null) await device.selectConfiguration(1)
    const place = findPrinterInterface(device)
    if (place === null) throw new PrinterFault('PRINTER_ERROR')
    await device.claimInterface(place.interfaceNumber)
    return place
  } catch (error) {
    await device.close().catch(() => {})
    if (error instanceof PrinterFault) throw error
    const isGone = error instanceof DOMException && error.name === 'NotFoundError'
    // Windows refuses to open a device that has a driver; other systems refuse to claim its interface.
    throw new PrinterFault(isGone ? 'UNREACHABLE' : 'DRIVER_BUSY', error)
  }
}

/** Reads what the printer sends until the device is closed. */
async function listen(device: USBDevice, input: number, take: (bytes: Iterable<number>) => void) {
  while (device.opened) {
    const { data } = await device.transferIn(input, 64)
    if (data) take(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
  }
}

async function open(known: KnownDevice, onLost: () => void) {
  const granted = await navigator.usb.getDevices()
  // A device that is unplugged is not listed.
  const device = granted.find((each) => isSame(each, known))
  if (!device) throw new PrinterFault('UNREACHABLE')
  const { output, input } = await claim(device)
  const write = async (bytes: Uint8Array) => {
    const { status } = await device.transferOut(output, new Uint8Array(bytes))
    if (status !== 'ok') throw new PrinterFault('PRINTER_ERROR')
  }
  const status = statusReader(write)
  if (input !== undefined) void listen(device, input, status.take).catch(() => {})
  const noteLost = (event: USBConnectionEvent) => {
    if (event.device === device) onLost()
  }
  navigator.usb.addEventListener('disconnect', noteLost)
  return {
    write,
    ...(input !== undefined && { askStatus: status.ask }),
    close: async () => {
      navigator.usb.removeEventListener('disconnect', noteLost)
      await device.close().catch(() => {})
    },
  }
}

export const usb: DeviceApi = {
  choose,
  open,
  watch: (onAttached) => {
    navigator.usb.addEventListener('connect', onAttached)
    return () => navigator.usb.removeEventListener('connect', onAttached)
  },
}
