import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const PUBLIC = fileURLToPath(new URL('../public/', import.meta.url))
const WORKER = 'worker.js'

/**
 * Writes the list of files that the worker keeps, and a version that changes with any of them, into the built worker.
 * Chunks are named by their hash, so their names say what they contain; the page and the public files do not.
 */
export function serviceWorker(): Plugin {
  return {
    name: 'kasir-service-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const worker = bundle[WORKER]
        if (worker?.type !== 'chunk') this.error(`${WORKER} is not part of the build`)
        if (worker.imports.length > 0)
          this.error(`${WORKER} must be one file: it imports ${worker.imports.join(', ')}`)
        const names = Object.keys(bundle).filter((name) => name !== WORKER && !name.endsWith('.map'))
        const still = readdirSync(PUBLIC).map((name) => ({ name, text: readFileSync(PUBLIC + name) }))
        const page = bundle['index.html']
        const version = createHash('sha256')
        for (const name of names) version.update(name)
        for (const { name, text } of still) version.update(name).update(text)
        if (page?.type === 'asset') version.update(page.source)
        const files = [
          '/',
          ...names.filter((name) => name !== 'index.html').map((name) => `/${name}`),
          ...still.map(({ name }) => `/${name}`),
        ]
        worker.code = worker.code
          .replace('__VERSION__', version.digest('hex').slice(0, 16))
          .replace(/(["'`])__FILES__\1/, JSON.stringify(files))
      },
    },
  }
}
