import { commandLine } from './command-line.ts'
import { locks } from './locks.ts'
import { money } from './money.ts'
import type { Mutant } from './mutant.ts'
import { partners } from './partners.ts'
import { people } from './people.ts'
import { platform } from './platform.ts'
import { promises } from './promises.ts'
import { shops } from './shops.ts'
import { stock } from './stock.ts'

export type { Mutant } from './mutant.ts'
export const mutants: readonly Mutant[] = [
  ...money,
  ...stock,
  ...shops,
  ...locks,
  ...platform,
  ...partners,
  ...people,
  ...commandLine,
  ...promises,
]
