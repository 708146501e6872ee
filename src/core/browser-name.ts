/** Most specific first: many browsers also send the names of others. */
const BROWSERS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['UC Browser', /\bUCBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
]
const SYSTEMS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]
/** The start of a user agent that is no browser: `curl/8.5.0`. */
const PROGRAM = /^([A-Za-z][\w.-]{0,39})\//

const first = (names: typeof BROWSERS, userAgent: string) =>
  names.find(([, mark]) => mark.test(userAgent))?.[0]

/** A browser as a member would describe it: `Chrome on Android`. Null if the user agent is not recognized. */
export function browserName(userAgent: string | null): string | null {
  if (userAgent === null) return null
  const browser = first(BROWSERS, userAgent)
  const system = first(SYSTEMS, userAgent)
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`
  if (system !== undefined) return `A browser on ${system}`
  return PROGRAM.exec(userAgent)?.[1] ?? null
}
