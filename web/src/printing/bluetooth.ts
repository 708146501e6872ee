import { type DeviceApi, DeviceForgotten, isCancelled, type KnownDevice, PrinterFault } from './connection.ts'

// The package @point-of-sale/webbluetooth-receipt-printer logs a write that failed and continues with the next one, so a
// torn receipt would count as printed. This file uses the API of the browser directly.

/** The services by which Bluetooth LE printers take bytes. */
const SERVICES = [
  '000018f0-0000-1000-8000-00805f9b34fb',
  '49535343-fe7d-4ae5-8fa9-9fafd205e455',
  'e7810a71-73ae-499d-8c15-faa9aef0c3f2',
  '0000ff00-0000-1000-8000-00805f9b34fb',
  '0000ffe0-0000-1000-8000-00805f9b34fb',
]
/** Every printer takes writes of this size. */
const BYTES_PER_WRITE = 100
const BYTES_PER_SECOND = 1_000

/** Chosen in this page: not every browser lists the devices of earlier pages. */
const chosen = new Map<string, BluetoothDevice>()

async function choose(): Promise<KnownDevice | null> {
  const options = { acceptAllDevices: true, optionalServices: SERVICES }
  const device = await navigator.bluetooth.requestDevice(options).catch((error: unknown) => {
    if (isCancelled(error)) return null
    throw error
  })
  if (device === null) return null
  chosen.set(device.id, device)
  return { kind: 'bluetooth', name: device.name ?? 'Bluetooth', id: device.id }
}

async function find({ id = '' }: KnownDevice): Promise<BluetoothDevice> {
  const granted = 'getDevices' in navigator.bluetooth ? await navigator.bluetooth.getDevices() : []
  const device = chosen.get(id) ?? granted.find((each) => each.id === id)
  if (!device) throw new DeviceForgotten()
  return device
}

async function outputOf(server: BluetoothRemoteGATTServer) {
  for (const uuid of SERVICES) {
    const service = await server.getPrimaryService(uuid).catch(() => null)
    const characteristics = (await service?.getCharacteristics()) ?? []
    const output = characteristics.find(
      ({ properties }) => properties.write || properties.writeWithoutResponse,
    )
    if (output) return output
  }
  return null
}

async function open(known: KnownDevice, onLost: () => void) {
  const device = await find(known)
  const server = await device.gatt?.connect().catch((error: unknown) => {
    throw new PrinterFault('UNREACHABLE', error)
  })
  device.addEventListener('gattserverdisconnected', onLost)
  const output = server && (await outputOf(server))
  if (!server || !output) {
    device.removeEventListener('gattserverdisconnected', onLost)
    server?.disconnect()
    throw new PrinterFault('PRINTER_ERROR')
  }
  const send = output.properties.write
    ? (part: BufferSource) => output.writeValueWithResponse(part)
    : (part: BufferSource) => output.writeValueWithoutResponse(part)
  return {
    write: async (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length; at += BYTES_PER_WRITE)
        await send(new Uint8Array(bytes.subarray(at, at + BYTES_PER_WRITE)))
    },
    bytesPerSecond: BYTES_PER_SECOND,
    close: async () => {
      device.removeEventListener('gattserverdisconnected', onLost)
      server.disconnect()
    },
  }
}

/** A Bluetooth printer that is switched on sends no event: the next try connects to it. */
export const bluetooth: DeviceApi = { choose, open, watch: () => () => {} }
