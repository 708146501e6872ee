import { DEVICE_KINDS, type DeviceApi, type DeviceKind } from './connection.ts'

const LOADERS: Readonly<Record<Exclude<DeviceKind, 'rawbt'>, () => Promise<DeviceApi>>> = {
  serial: () => import('./serial.ts').then((file) => file.serial),
  usb: () => import('./usb.ts').then((file) => file.usb),
  bluetooth: () => import('./bluetooth.ts').then((file) => file.bluetooth),
}

export const loadApi = (kind: Exclude<DeviceKind, 'rawbt'>): Promise<DeviceApi> => LOADERS[kind]()

/** The kinds that this browser offers. RawBT is an Android app that takes papers by their address. */
export const offeredKinds = (): readonly DeviceKind[] =>
  DEVICE_KINDS.filter((kind) => (kind === 'rawbt' ? /Android/.test(navigator.userAgent) : kind in navigator))
