import { parseArgs } from 'node:util'
import { nearest } from '../../src/core/suggest.ts'
import {
  ASSUMPTION_NAMES,
  ASSUMPTIONS,
  type AssumptionName,
  type Assumptions,
  DEFAULTS,
  optionOf,
} from './cost-assumptions.ts'
import { WORKSPACES } from './cost-table.ts'

export type CostOptions = { workspaces: readonly number[]; assumptions: Assumptions; isHelp: boolean }

/** A command line that cannot be carried out; the message says why. */
export class WrongOption extends Error {}

const NUMBER = /^-?\d+(\.\d+)?$/
const MOST_WORKSPACES = 1e9
const OTHERS = ['workspaces', 'help']

const nameOf = (option: string) => ASSUMPTION_NAMES.find((name) => optionOf(name) === option)

function readAssumption(name: AssumptionName, text: string | undefined): number {
  const { min, max } = ASSUMPTIONS[name]
  const value = NUMBER.test(text ?? '') ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  const given = text === undefined ? 'has no value' : `is "${text}"`
  throw new WrongOption(`--${optionOf(name)} ${given}. Give a number from ${min} to ${max}.`)
}

function readWorkspaces(text: string | undefined): number[] {
  const counts = (text ?? '').split(',').map(Number)
  if (counts.every((count) => Number.isInteger(count) && count > 0 && count <= MOST_WORKSPACES)) return counts
  throw new WrongOption('--workspaces takes whole numbers with commas between them, such as 1000,10000.')
}

/** Reads the options of `npm run cost`. Throws WrongOption. */
export function readCostOptions(args: readonly string[]): CostOptions {
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      [...ASSUMPTION_NAMES.map(optionOf), 'workspaces'].map((name) => [name, { type: 'string' as const }]),
    ),
  })
  const assumptions: Record<AssumptionName, number> = { ...DEFAULTS }
  let workspaces: readonly number[] = WORKSPACES
  let isHelp = false
  for (const token of tokens) {
    if (token.kind === 'positional') throw new WrongOption(`"${token.value}" is not an option.`)
    if (token.kind !== 'option') continue
    const name = nameOf(token.name)
    if (name !== undefined) assumptions[name] = readAssumption(name, token.value)
    else if (token.name === 'workspaces') workspaces = readWorkspaces(token.value)
    else if (token.name === 'help' || token.name === 'h') isHelp = true
    else throw unknownOption(token.name)
  }
  return { workspaces, assumptions, isHelp }
}

function unknownOption(name: string): WrongOption {
  const likely = nearest(name, [...ASSUMPTION_NAMES.map(optionOf), ...OTHERS])
  const hint = likely === null ? '' : ` Did you mean "--${likely}"?`
  return new WrongOption(`There is no option "--${name}".${hint}`)
}
