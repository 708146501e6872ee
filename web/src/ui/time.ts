import { useDevice } from '../app/device.ts'
import { outletZone } from '../offline/shop.ts'

const locale = () => (useDevice.getState().language === 'id' ? 'id-ID' : 'en-GB')

/** The time of day in the zone of an outlet, such as 14.05. Without a zone it is that of this device's outlet. */
export const formatTime = (instant: string, timeZone = outletZone()): string =>
  new Intl.DateTimeFormat(locale(), { timeZone, hour: '2-digit', minute: '2-digit' }).format(
    new Date(instant),
  )

/** A calendar day, such as 29 Nov 2026, without a space at which a narrow column could break it. */
export const formatDate = (day: string): string =>
  new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', dateStyle: 'medium' })
    .format(new Date(`${day}T00:00:00Z`))
    .replaceAll(' ', '\u00A0')

/** Day and time in the zone of an outlet, such as 25 Nov 14.05. Without a zone it is that of this device's outlet. */
export const formatMoment = (instant: string, timeZone = outletZone()): string =>
  new Intl.DateTimeFormat(locale(), {
    timeZone,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(instant))
