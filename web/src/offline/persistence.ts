let isRequested = false

/**
 * Asks the browser, once per page, to keep the storage of this app when the disk is full or the app was not used for days.
 * The result is ignored: the browser decides, and may ask the person.
 */
export function requestPersistence() {
  if (isRequested) return
  isRequested = true
  try {
    // Browsers have it on https and localhost only.
    const storage = navigator.storage as StorageManager | undefined
    storage?.persist?.().catch(() => {})
  } catch {
    // Some private windows refuse the request itself.
  }
}
