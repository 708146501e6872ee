import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pixelmatch from 'pixelmatch'
import type { Browser, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import sharp from 'sharp'
import { expect, vi } from 'vitest'
import { server } from './service.ts'

const REFERENCES = fileURLToPath(new URL('../pictures/pages/', import.meta.url))
const SEEN = fileURLToPath(new URL('../../.tmp/pictures/pages/', import.meta.url))
/** The browser and the fonts that drew the references. */
const RENDERER = path.join(REFERENCES, 'renderer.txt')
const isUpdate = process.env['UPDATE_PICTURES'] === '1'

/** A lower value would count the colours that the palette of a reference rounds. */
const THRESHOLD = 0.2
/** Other processors may smooth edges differently; a changed word or a moved line differs in more pixels than this. */
const MOST_PIXELS = 40
/** A page that still loads differs for a while. */
const SETTLED_WITHIN_MS = 6_000

const FONTS = ['system-ui', 'system-ui:bold', 'monospace']

/** What decides how a page is drawn here; null if the fonts cannot be found. */
function rendererOf(browser: Browser): string | null {
  try {
    const fonts = FONTS.map((pattern) => {
      const file = execFileSync('fc-match', ['--format=%{file}', pattern], { encoding: 'utf8' })
      const digest = createHash('sha256').update(readFileSync(file)).digest('hex')
      return `${pattern}: ${path.basename(file)} ${digest}`
    })
    const system = `${process.platform} ${process.arch}`
    return [`Chromium ${browser.version()} on ${system}`, ...fonts, ''].join('\n')
  } catch {
    return null
  }
}

/** Why pictures cannot be compared on this machine; null if they can. */
export function whyIncomparable(browser: Browser): string | null {
  const here = rendererOf(browser)
  if (here === null) return 'fc-match found no fonts, so pages may be drawn differently'
  if (isUpdate) {
    mkdirSync(REFERENCES, { recursive: true })
    writeFileSync(RENDERER, here)
    return null
  }
  const there = readFileSync(RENDERER, 'utf8')
  return here === there
    ? null
    : `pages are drawn differently here than in test/pictures/pages:\n${here}instead of\n${there}`
}

export const WIDTHS = [390, 800, 1_280] as const
const HEIGHT = 800

/** Answers carry the time of the service's clock, from which a till learns what time it is. */
export const datesFrom = (now: () => string) =>
  server().prependListener('request', (_, answer) =>
    answer.setHeader('date', new Date(Date.parse(now())).toUTCString()),
  )

type Look = { widths?: readonly number[]; theme?: 'light' | 'dark' }

/** Compares pages with test/pictures/pages, and collects what differs. UPDATE_PICTURES=1 replaces what differs. */
export function openAlbum() {
  const names = new Set<string>()
  const differences: string[] = []
  const look = async (page: Page, name: string, { widths = WIDTHS, theme = 'light' }: Look = {}) => {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    await page.mouse.move(0, 0)
    for (const width of widths) {
      const picture = `${name}-${width}${theme === 'dark' ? '-dark' : ''}`
      expect([...names]).not.toContain(picture)
      names.add(picture)
      await page.setViewportSize({ width, height: HEIGHT })
      differences.push(...(await compare(page, picture)))
    }
    await page.evaluate("document.documentElement.dataset.theme = 'light'")
  }
  return { look, names, differences }
}

/** The sentence of a test that fails; none if the page looks like its reference. */
async function compare(page: Page, name: string): Promise<string[]> {
  const file = path.join(REFERENCES, `${name}.png`)
  const reference = existsSync(file) ? await decode(readFileSync(file)) : null
  const found = reference && (await likenessTo(reference, page))
  if (found && found.pixels <= MOST_PIXELS) return []
  if (isUpdate) {
    await writeReference(file, await settledCapture(page))
    return []
  }
  if (!found) return [`${name}.png is not in test/pictures/pages`]
  const { seen, pixels, drawDifference } = found
  return [
    `${name}.png differs in ${pixels} pixels: ${keep(name, seen)}, ${keep(`${name}.difference`, drawDifference())}`,
  ]
}

function keep(name: string, picture: Buffer): string {
  mkdirSync(SEEN, { recursive: true })
  writeFileSync(path.join(SEEN, `${name}.png`), picture)
  return `.tmp/pictures/pages/${name}.png`
}

type Pixels = { data: Buffer; info: { width: number; height: number } }
const decode = (picture: Buffer): Promise<Pixels> =>
  sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })

/** How the page differs from a reference once it has settled. */
async function likenessTo({ data, info: { width, height } }: Pixels, page: Page) {
  const endMs = performance.now() + SETTLED_WITHIN_MS
  for (;;) {
    const seen = await capture(page)
    const got = await decode(seen)
    expect([got.info.width, got.info.height]).toEqual([width, height])
    const draw = (to?: Buffer) => pixelmatch(data, got.data, to, width, height, { threshold: THRESHOLD })
    const pixels = draw()
    if (pixels > MOST_PIXELS && performance.now() < endMs) continue
    return {
      seen,
      pixels,
      drawDifference: () => {
        const png = new PNG({ width, height })
        draw(png.data)
        return PNG.sync.write(png)
      },
    }
  }
}

const IS_LOADED = `document.fonts.ready
  .then(() => Promise.all([...document.images].map((image) => image.decode().catch(() => {}))))
  .then(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))))`

async function capture(page: Page): Promise<Buffer> {
  await page.evaluate(IS_LOADED)
  return page.screenshot({ animations: 'disabled', caret: 'hide' })
}

/** A capture that equals the two before it. */
async function settledCapture(page: Page): Promise<Buffer> {
  const seen: Buffer[] = []
  await vi.waitFor(
    async () => {
      seen.unshift(await capture(page))
      if (!seen[1] || !seen[2] || !seen[0]?.equals(seen[1]) || !seen[1].equals(seen[2]))
        throw new Error('the page still changes')
    },
    { timeout: 20_000, interval: 200 },
  )
  return seen[0] ?? Buffer.alloc(0)
}

/** Sixteen colours are enough for a page, and make its file a third as large. */
async function writeReference(file: string, seen: Buffer) {
  const palette = { palette: true, colours: 16, dither: 0, effort: 10, compressionLevel: 9 }
  writeFileSync(file, await sharp(seen).png(palette).toBuffer())
}

/** References that no page is compared with. */
export const unusedReferences = (names: ReadonlySet<string>) =>
  readdirSync(REFERENCES).filter((file) => file.endsWith('.png') && !names.has(file.slice(0, -'.png'.length)))
