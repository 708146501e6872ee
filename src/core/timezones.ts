import { nearest } from './suggest.ts'

/**
 * Accepts one spelling per zone, that of the IANA time zone database: the runtime accepts any mixture of capitals,
 * but a name is compared, cached and shown as text.
 */

/**
 * Names that follow no spelling rule, in addition to those that the runtime lists. The database has no other names of
 * three letters.
 */
const IRREGULAR = [
  'CET CST6CDT EET EST EST5EDT GB GB-Eire GMT GMT+0 GMT-0 GMT0 HST MET MST MST7MDT NZ NZ-CHAT PRC PST8PDT ROC ROK UCT UTC',
  'W-SU WET America/Argentina/ComodRivadavia America/Knox_IN Australia/ACT Australia/LHI Australia/NSW Brazil/DeNoronha',
  'Chile/EasterIsland Mexico/BajaNorte Mexico/BajaSur US/Alaska US/Aleutian US/Arizona US/Central US/East-Indiana',
  'US/Eastern US/Hawaii US/Indiana-Starke US/Michigan US/Mountain US/Pacific US/Samoa Etc/GMT Etc/GMT0 Etc/UCT Etc/UTC',
].flatMap((line) => line.split(' '))
const OFFSETS = [
  ...Array.from({ length: 13 }, (_, hours) => `Etc/GMT+${hours}`),
  ...Array.from({ length: 15 }, (_, hours) => `Etc/GMT-${hours}`),
]
/**
 * Current names of zones that the runtime lists under an older name; listed here so that a misspelling of one is
 * recognized.
 */
const RENAMED = [
  'Africa/Asmara America/Argentina/Buenos_Aires America/Nuuk Asia/Ho_Chi_Minh Asia/Kathmandu Asia/Kolkata Asia/Yangon',
  'Atlantic/Faroe Europe/Kyiv Pacific/Chuuk Pacific/Kanton Pacific/Pohnpei',
].flatMap((line) => line.split(' '))

const spellings = new Map(
  [...RENAMED, ...IRREGULAR, ...OFFSETS, ...Intl.supportedValuesOf('timeZone')].map((name) => [
    name.toLowerCase(),
    name,
  ]),
)

const PARTICLES: readonly string[] = ['of', 'es', 'au']

/** Capitalizes every word except particles: Asia/Ho_Chi_Minh, Africa/Dar_es_Salaam. */
const spellingOf = (name: string): string =>
  spellings.get(name.toLowerCase()) ??
  name
    .toLowerCase()
    .replaceAll(/(^|[/_-])([a-z]+)/g, (_, before: string, word: string) =>
      before !== '' && before !== '/' && PARTICLES.includes(word)
        ? before + word
        : before + word.slice(0, 1).toUpperCase() + word.slice(1),
    )

/**
 * Offsets such as +07:00, which newer runtimes accept as zones, have no rules of a place (B-time-3). PST, IST or AST
 * are ambiguous, and the runtime would pick one meaning.
 */
function isKnown(name: string): boolean {
  if (spellings.has(name.toLowerCase())) return true
  if (!/^[a-z]/i.test(name) || name.length === 3 || /^SystemV\//i.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}

/** Whether this is a time zone as the IANA database spells it; a link such as Asia/Kolkata is one. */
export const isTimezone = (name: string): boolean => name === spellingOf(name) && isKnown(name)

/** The time zone that an unknown name probably meant, or null. */
export function nearestTimezone(name: string): string | null {
  const spelled = spellingOf(name)
  if (isKnown(spelled)) return spelled
  // A name without a word, or with one of three letters, is an offset or an abbreviation, not a typing mistake.
  return /^[a-z][a-z_/ -]{3,}$/i.test(name) ? nearest(name, [...spellings.values()]) : null
}
