/** What browsers call themselves besides, so the more telling names come first. */
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
/** What programs other than browsers begin with: `curl/8.5.0`. */
const PROGRAM = /^([A-Za-z][\w.-]{0,39})\//

const first = (names: typeof BROWSERS, userAgent: string) =>
  names.find(([, mark]) => mark.test(userAgent))?.[0]

/** A browser in the words of somebody who looks for theirs: `Chrome on Android`; null when nothing is recognised. */
export function browserName(userAgent: string | null): string | null {
  if (userAgent === null) return null
  const browser = first(BROWSERS, userAgent)
  const system = first(SYSTEMS, userAgent)
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`
  if (system !== undefined) return `A browser on ${system}`
  return PROGRAM.exec(userAgent)?.[1] ?? null
}
