/**
 * The service worker keeps the files of the app, so that the register opens offline. It never takes over a
 * running page: a new version waits until the page asks for it (`skip-waiting`), which it does on an empty cart.
 */
type Lasting = Event & { waitUntil(work: Promise<unknown>): void }
type PageRequest = Lasting & { request: Request; respondWith(answer: Promise<Response>): void }
type ServiceWorkerScope = {
  location: Location
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  addEventListener(name: 'install' | 'activate', listen: (event: Lasting) => void): void
  addEventListener(name: 'fetch', listen: (event: PageRequest) => void): void
  addEventListener(name: 'message', listen: (event: MessageEvent) => void): void
}

const worker = globalThis as unknown as ServiceWorkerScope
/** The build writes both (web/build/service-worker.ts). */
const CACHE = 'kasir-__VERSION__'
const FILES = '__FILES__' as unknown as readonly string[]
/** Answered by the service only. */
const OF_THE_SERVICE = /^\/(?:api|docs|uploads|r)(?:\/|$)/

/** The service sends the page only to requests that accept HTML, so programs get no page. */
const requestFor = (name: string) =>
  new Request(name, { headers: { accept: name === '/' ? 'text/html' : '*/*' } })

worker.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES.map(requestFor))))
})

worker.addEventListener('activate', (event) => {
  const removeOthers = async () => {
    const names = await caches.keys()
    await Promise.all(
      names.filter((name) => name.startsWith('kasir-') && name !== CACHE).map((name) => caches.delete(name)),
    )
    await worker.clients.claim()
  }
  event.waitUntil(removeOthers())
})

worker.addEventListener('message', ({ data }) => {
  if (data === 'skip-waiting') void worker.skipWaiting()
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== worker.location.origin || OF_THE_SERVICE.test(pathname)) return
  const name = request.mode === 'navigate' ? '/' : pathname
  if (!FILES.includes(name)) return
  event.respondWith(
    caches
      .open(CACHE)
      .then((cache) => cache.match(name, { ignoreVary: true }))
      .then((kept) => kept ?? fetch(request)),
  )
})
