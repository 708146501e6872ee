import type { Fault } from '../core.ts'

/** How the bytes reach the printer. */
export const DEVICE_KINDS = ['usb', 'bluetooth', 'serial', 'rawbt'] as const
export type DeviceKind = (typeof DEVICE_KINDS)[number]

/** What this browser remembers of a device, to find it again without a dialog. */
export type KnownDevice = {
  kind: DeviceKind
  name: string
  vendorId?: number
  productId?: number
  serialNumber?: string
  /** The id that the browser gave to a Bluetooth device. */
  id?: string
  /** The speed of a serial printer. */
  baudRate?: number
}

/** An open printer. `write` resolves once the printer or its driver has taken every byte. */
export type Connection = {
  write(bytes: Uint8Array): Promise<void>
  /** Two status bytes; null if none come within `ms`. Absent if the printer cannot answer. */
  askStatus?(ms: number): Promise<readonly [number, number] | null>
  /** The lowest expected speed, which lengthens the time limit of a write; absent for a fast connection. */
  bytesPerSecond?: number
  close(): Promise<void>
}

/** One API of the browser that reaches printers. */
export type DeviceApi = {
  /** Shows the dialog of the browser; null if the person chose no device. Needs a tap. */
  choose(baudRate: number): Promise<KnownDevice | null>
  /** Opens a device that this browser may use. Throws a PrinterFault. */
  open(device: KnownDevice, onLost: () => void): Promise<Connection>
  /** Calls `onAttached` whenever a device is plugged in; returns the function that stops it. */
  watch(onAttached: () => void): () => void
}

/** Why a printer cannot be used. */
export class PrinterFault extends Error {
  readonly reason: Fault
  constructor(reason: Fault, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

/** The browser forgot the device, so a person has to choose it again. */
export class DeviceForgotten extends Error {}

/** The dialog of the browser was closed without a choice. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'NotFoundError'
