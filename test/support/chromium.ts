import { existsSync } from 'node:fs'

const USUAL = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser at `CHROMIUM`, which must exist when it is set; else one at its usual place, else null. */
export function chromiumPath(): string | null {
  const named = process.env['CHROMIUM'] || undefined
  if (named !== undefined && !existsSync(named))
    throw new Error(`CHROMIUM names ${named}, which does not exist`)
  return named ?? USUAL.find((place) => existsSync(place)) ?? null
}
