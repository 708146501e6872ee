import { useDevice } from '../app/device.ts'

const locale = () => (useDevice.getState().language === 'id' ? 'id-ID' : 'en-GB')

/** The time of day on this device, such as 14.05. */
export const formatTime = (instant: string): string =>
  new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit' }).format(new Date(instant))

/** A calendar day, such as 29 Nov 2026, without a space at which a narrow column could break it. */
export const formatDate = (day: string): string =>
  new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', dateStyle: 'medium' })
    .format(new Date(`${day}T00:00:00Z`))
    .replaceAll(' ', '\u00A0')

/** Day and time on this device or in a time zone, such as 25 Nov 14.05. */
export const formatMoment = (instant: string, timezone?: string): string =>
  new Intl.DateTimeFormat(locale(), {
    timeZone: timezone,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(instant))
