import type { Mutant } from './mutant.ts'

const csv = 'src/areas/catalogue/products/csv'
const csvTests = ['test/areas/catalogue/products/csv.test.ts', 'test/areas/catalogue/products/twins.test.ts']
const doctor = ['test/cli/doctor.test.ts']

/** The command line and what it shares: catalogue files, doctor. */
export const commandLine: readonly Mutant[] = [
  {
    file: 'src/core/catalogue-file/match.ts',
    breaks: 'an inactive twin of a SKU takes the row of the active one',
    from: 'one.live && one.by === column',
    to: 'one.by === column',
    tests: csvTests,
  },
  {
    file: 'src/core/catalogue-file/match.ts',
    breaks: 'an inactive variant takes the row of its active twin',
    from: 'isActive ? 2 * changesState + isRenamed : 2 * isRenamed + changesState',
    to: '2 * isRenamed + changesState',
    tests: csvTests,
  },
  {
    file: 'src/core/catalogue-file/match.ts',
    breaks: 'a new row overwrites the deactivated product of the file that has its name',
    from: '(live || !index.productIds.has(productId))',
    to: 'true',
    tests: csvTests,
  },
  {
    file: 'src/core/catalogue-file/match.ts',
    breaks: 'an inactive row renames and deactivates a variant on sale',
    from: 'if (fields.isActive !== false || !variant.isActive || !isRenamed) return []',
    to: 'return []',
    tests: csvTests,
  },
  {
    file: 'src/core/catalogue-file/groups.ts',
    breaks: 'a code of an inactive row is refused as a repeat',
    from: '.filter(({ fields }) => isOnSale(group, fields))',
    to: '',
    tests: csvTests,
  },
  {
    file: `${csv}/import.ts`,
    breaks: 'a product that comes again later in the file is not met again',
    from: 'if (portion.length >= PORTION || keys.has(key)) {',
    to: 'if (portion.length >= PORTION) {',
    tests: csvTests,
  },
  {
    file: 'src/core/spreadsheet.ts',
    breaks: 'a cell that begins with a formula leaves as one',
    from: "FORMULA.test(text) ? `'${text}` : text",
    to: "text.startsWith('=') ? `'${text}` : text",
    tests: csvTests,
  },
  {
    file: 'src/areas/catalogue/products/rules.ts',
    breaks: 'an inactive variant is matched by its SKU before the active one',
    from: 'return same.find((variant) => variant.isActive) ?? same[0]',
    to: 'return same[0]',
    tests: ['test/areas/catalogue/products/twins.test.ts'],
  },
  {
    file: 'src/platform/doctor/server.ts',
    breaks: 'a clock that is two seconds off is no fault',
    from: 'if (skewMs <= MOST_SKEW_MS)',
    to: 'if (skewMs <= MOST_SKEW_MS * 10)',
    tests: doctor,
  },
  {
    file: 'src/platform/doctor/server.ts',
    breaks: 'connections beside the pool are not counted',
    from: 'if (databasePoolSize + beside <= most)',
    to: 'if (databasePoolSize <= most)',
    tests: doctor,
  },
  {
    file: 'src/platform/doctor/machine.ts',
    breaks: 'a key that others may read is no fault',
    from: '(mode & 0o077) !== 0',
    to: '(mode & 0o007) !== 0',
    tests: doctor,
  },
  {
    file: 'src/platform/doctor/machine.ts',
    breaks: 'a nearly full disk is no fault',
    from: "return state === 'low'",
    to: "return state !== 'ok'",
    tests: ['test/platform/full-disk.test.ts'],
  },
]
