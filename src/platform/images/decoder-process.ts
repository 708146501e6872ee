// The process that decodes images: a hostile file can cost it time, memory or a crash, but the service keeps running.
import type { DecoderReply } from './decoder.ts'

const [maxCpuMs = 0, maxMemoryBytes = 0] = process.argv.slice(2).map(Number)
const LOOK_MS = 10
/** The loaders of the accepted types. libvips can read many more formats, which are not accepted. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`)

/** sharp's error message for an image over `limitInputPixels`. */
const TOO_LARGE = /pixel limit/

const reply = (message: DecoderReply) => process.send?.(message)
const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function load() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
  const { render } = await import('./render.ts')
  return render
}

/**
 * Reports an exceeded limit while a decode runs. The decode itself cannot be stopped, so the service ends this
 * process.
 */
function watch(): { stop(): void } {
  const startMs = cpuMs()
  const startBytes = process.memoryUsage.rss()
  const timer = setInterval(() => {
    const limit =
      cpuMs() - startMs > maxCpuMs
        ? 'time'
        : process.memoryUsage.rss() - startBytes > maxMemoryBytes
          ? 'memory'
          : null
    if (limit === null) return
    clearInterval(timer)
    reply({ kind: 'exceeded', limit })
  }, LOOK_MS)
  return { stop: () => clearInterval(timer) }
}

async function serve() {
  const render = await load()
  const idleBytes = process.memoryUsage.rss()
  process.on('message', (bytes: Uint8Array) => {
    const watching = watch()
    void render(bytes)
      .then((rendition): DecoderReply => {
        const isSpent = process.memoryUsage.rss() - idleBytes > maxMemoryBytes
        return { kind: 'rendered', rendition, isSpent }
      })
      .catch(
        ({ message }: Error): DecoderReply => ({
          kind: 'refused',
          why: TOO_LARGE.test(message) ? 'pixels' : 'damaged',
        }),
      )
      .then((message) => {
        watching.stop()
        reply(message)
      })
  })
  reply({ kind: 'ready' })
}

process.on('disconnect', () => process.exit())
serve().catch((error: Error) => {
  reply({ kind: 'broken', reason: error.message })
})
