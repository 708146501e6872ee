import { create } from 'zustand'

/** A new version of the app that waits until it may take over. */
export const useUpdate = create<{ waiting: ServiceWorker | null }>(() => ({ waiting: null }))

const CHECK_MS = 30 * 60_000

/**
 * Registers the service worker, which browsers allow on https and localhost only; elsewhere the app works without one.
 * A new version waits for `applyUpdate`: a till never reloads by itself.
 */
export function watchForUpdates() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const wait = (registration: ServiceWorkerRegistration) => {
    // Without a controller this is the first visit: the worker only stores the files that this page already is.
    if (registration.waiting && navigator.serviceWorker.controller)
      useUpdate.setState({ waiting: registration.waiting })
  }
  const watch = (registration: ServiceWorkerRegistration) => {
    wait(registration)
    registration.addEventListener('updatefound', () => {
      registration.installing?.addEventListener('statechange', () => wait(registration))
    })
    setInterval(() => void registration.update().catch(() => {}), CHECK_MS)
  }
  window.addEventListener('load', () => {
    // A browser that refuses (a private window, full storage) works without it.
    navigator.serviceWorker.register('/worker.js').then(watch, () => {})
  })
}

export function applyUpdate() {
  const { waiting } = useUpdate.getState()
  navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload(), { once: true })
  waiting?.postMessage('skip-waiting')
}
