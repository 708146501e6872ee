import { useDevice } from '../../app/device.ts'

const locale = () => (useDevice.getState().language === 'id' ? 'id-ID' : 'en-GB')

const inUnit = (value: number, unit: string, digits = 0) =>
  new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit,
    unitDisplay: unit.endsWith('byte') || unit.endsWith('second') ? 'short' : 'long',
    maximumFractionDigits: digits,
  }).format(value)

const SIZES = [
  [1e12, 'terabyte'],
  [1e9, 'gigabyte'],
  [1e6, 'megabyte'],
] as const

export function formatBytes(bytes: number): string {
  const [factor, unit] = SIZES.find(([one]) => bytes >= one) ?? ([1e3, 'kilobyte'] as const)
  return inUnit(bytes / factor, unit, 1)
}

export const formatCount = (count: number): string => new Intl.NumberFormat(locale()).format(count)

export const formatDuration = (ms: number): string =>
  ms < 1_000 ? inUnit(ms, 'millisecond', 1) : inUnit(ms / 1_000, 'second', 1)

const HOUR_S = 3_600

export function formatElapsed(seconds: number): string {
  if (seconds >= 48 * HOUR_S) return inUnit(Math.floor(seconds / (24 * HOUR_S)), 'day')
  if (seconds >= HOUR_S) return inUnit(Math.floor(seconds / HOUR_S), 'hour')
  return inUnit(Math.floor(seconds / 60), 'minute')
}

export const formatDay = (instant: string): string =>
  new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', year: 'numeric' }).format(
    new Date(instant),
  )
