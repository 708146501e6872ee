/**
 * npm run cost: the machines and the money that installations of some sizes take, from the figures that
 * `npm run bench -- footprint` has measured and from assumptions that every reader can replace.
 */
import { readFootprint } from './lib/cost-footprint.ts'
import { readCostOptions, WrongOption } from './lib/cost-options.ts'
import { costPage } from './lib/cost-table.ts'

const HELP = `npm run cost [-- options]

  --workspaces N,N  the sizes of the installations (1000,10000,100000,1000000)
  --sales N ...     replaces an assumption; the last table of the output names them all

Prints the machines and the cost a month, without staff. docs/scaling.md has the table without options.`

try {
  const options = readCostOptions(process.argv.slice(2))
  console.log(options.isHelp ? HELP : costPage(await readFootprint(), options))
} catch (error) {
  if (!(error instanceof WrongOption)) throw error
  console.error(`${error.message}\nSee npm run cost -- --help`)
  process.exitCode = 2
}
