import { useDevice } from '../app/device.ts'

/** The time of day on this device, such as 14.05. */
export const formatTime = (instant: string): string =>
  new Intl.DateTimeFormat(useDevice.getState().language === 'id' ? 'id-ID' : 'en-GB', {
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(instant))
