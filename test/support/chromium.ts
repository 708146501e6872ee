import { existsSync } from 'node:fs'

/** Chromium without windows, which opens a page in less time. It keeps no profile on disk. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
const WHOLE = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser at `CHROMIUM`, which must exist when it is set; else one at its usual place, else null. */
export const chromiumPath = (): string | null => namedPath() ?? firstOf([HEADLESS_SHELL, ...WHOLE])

/** The same for a test that needs a profile on disk. */
export const wholeChromiumPath = (): string | null => namedPath() ?? firstOf(WHOLE)

const firstOf = (places: readonly string[]) => places.find((place) => existsSync(place)) ?? null

function namedPath(): string | null {
  const path = process.env['CHROMIUM'] || null
  if (path !== null && !existsSync(path)) throw new Error(`CHROMIUM names ${path}, which does not exist`)
  return path
}
