import { LowStorage } from './low-storage.tsx'
import { PlainHttp } from './plain-http.tsx'

/** What a cashier should know while the service cannot be reached. */
export const OfflineNotices = () => (
  <>
    <LowStorage />
    <PlainHttp />
  </>
)
