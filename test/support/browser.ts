import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pixelmatch from 'pixelmatch'
import { type Browser, chromium, type Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { chromiumPath, wholeChromiumPath } from './chromium.ts'

/** Tests that need a browser: skipped with a clear line where there is none, since nothing is downloaded for them. */
function describeOrSkip(
  name: string,
  executablePath: string | null,
  tests: (executablePath: string) => void,
) {
  // A loaded machine paints later than a locator waits; a real defect fails each time.
  if (executablePath !== null) return describe(name, { retry: 2 }, () => tests(executablePath))
  if (process.env['REQUIRE_BROWSER'] === '1') throw new Error(`${name} needs Chromium, and none was found`)
  console.warn(
    `skipped: ${name}. No Chromium found; install it (Debian: apt-get install chromium chromium-headless-shell) or set CHROMIUM.`,
  )
  return describe.skip(name, () => tests(''))
}

/** Tests in one browser, which is closed after them. */
export function describeInChromium(
  name: string,
  tests: (browser: () => Browser) => void,
  more: () => readonly string[] = () => [],
) {
  describeOrSkip(name, chromiumPath(), (executablePath) => {
    let browser: Browser | undefined
    beforeAll(async () => {
      // Without a graphics card, a second process would draw every page with much more work.
      const args = ['--font-render-hinting=none', '--disable-gpu', ...more()]
      browser = await chromium.launch({ executablePath, args })
    }, 120_000)
    afterAll(() => browser?.close())
    tests(() => browser ?? unreachable())
  })
}

/** Tests that start browsers themselves, with profiles on disk. */
export const describeWithProfiles = (name: string, tests: () => void) =>
  describeOrSkip(name, wholeChromiumPath(), tests)

const unreachable = (): never => {
  throw new Error('the browser is there while its tests run')
}

export type Measured = {
  paper: number
  height: number
  inner: { left: number; right: number }
  texts: { text: string; isFigure: boolean; left: number; right: number; top: number; lines: number }[]
  scrollWidth: number
  clientWidth: number
  letter: number
}
const MEASURE = readFileSync(new URL('measure-page.js', import.meta.url), 'utf8')

export const measurePage = (page: Page): Promise<Measured> => page.evaluate(MEASURE)

const PICTURES = fileURLToPath(new URL('../pictures/', import.meta.url))
const SEEN = fileURLToPath(new URL('../../.tmp/pictures/', import.meta.url))
/** Versions of Chromium smooth letters differently; a moved line or another face changes many times more. */
const TOLERANCE = 0.01

/**
 * Compares a picture with test/pictures/<name>.png; what was seen and what differs lie in .tmp/pictures. With
 * UPDATE_PICTURES=1 the picture becomes the one to compare with: look at it before it is committed.
 */
export function expectPicture(name: string, seen: Buffer) {
  mkdirSync(SEEN, { recursive: true })
  writeFileSync(path.join(SEEN, `${name}.png`), seen)
  const file = path.join(PICTURES, `${name}.png`)
  if (process.env['UPDATE_PICTURES'] === '1') {
    mkdirSync(PICTURES, { recursive: true })
    writeFileSync(file, seen)
  }
  const [wanted, got] = [PNG.sync.read(readFileSync(file)), PNG.sync.read(seen)]
  expect([name, got.width, got.height]).toEqual([name, wanted.width, wanted.height])
  const { width, height } = wanted
  const difference = new PNG({ width, height })
  const pixels = pixelmatch(wanted.data, got.data, difference.data, width, height, { threshold: 0.3 })
  if (pixels > 0) writeFileSync(path.join(SEEN, `${name}.difference.png`), PNG.sync.write(difference))
  expect(pixels / (width * height), `${name}.png differs, see .tmp/pictures`).toBeLessThan(TOLERANCE)
}
