import type { ArgDef } from 'citty'
import { SETTINGS } from '../platform/config/config.ts'
import { fileVariable } from '../platform/config/files.ts'
import { VERSION } from '../platform/version.ts'
import type { Command } from './command.ts'

type Rows = readonly (readonly [left: string, right: string])[]

const section = (title: string, rows: Rows): string[] => {
  if (rows.length === 0) return []
  const width = Math.max(...rows.map(([left]) => left.length))
  return ['', title, ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)]
}

const settingRow = (name: Command['environment'][number]) => {
  const { env, help, fallback } = SETTINGS[name]
  const file = fileVariable(SETTINGS[name])
  if (file !== null) return [env, `${help} ${file} names a file with it instead.`] as const
  return [env, fallback === '' ? help : `${help} Default: ${fallback}`] as const
}

const optionRow = ([name, arg]: [string, ArgDef]) => {
  const value = arg.type === 'boolean' ? '' : ` <${arg.valueHint ?? 'text'}>`
  const fallback = arg.default === undefined || arg.default === false ? '' : ` Default: ${arg.default}`
  return [`--${name}${value}`, `${arg.description ?? ''}${fallback}`] as const
}

const HELP_ROW = ['--help, -h', 'Show this page'] as const

/** `kasir <command> --help`: arguments, options, settings and examples. */
export function commandHelp({ name, description, args, environment, examples }: Command): string {
  const all = Object.entries(args)
  const places = all.filter(([, arg]) => arg.type === 'positional')
  const options = all.filter(([, arg]) => arg.type !== 'positional')
  const usage = ['kasir', name, ...places.map(([place]) => place.toUpperCase()), '[options]'].join(' ')
  return [
    description,
    ...section('Usage', [[usage, '']]).map((line) => line.trimEnd()),
    ...section(
      'Arguments',
      places.map(([place, arg]) => [place.toUpperCase(), arg.description ?? '']),
    ),
    ...section('Options', [...options.map(optionRow), HELP_ROW]),
    ...section('Environment', environment.map(settingRow)),
    ...section('Examples', examples),
    '',
  ].join('\n')
}

/** `kasir --help`: every command, every setting. */
export function programHelp(commands: readonly Command[], examples: Rows): string {
  const settings = Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]
  return [
    `Kasir ${VERSION}: an open, self-hosted point-of-sale service`,
    ...section('Usage', [['kasir <command> [options]', '']]).map((line) => line.trimEnd()),
    ...section(
      'Commands',
      commands.map(({ name, description }) => [name, description]),
    ),
    ...section('Options', [
      ['--help, -h', 'Show this page; after a command, the page of that command'],
      ['--version, -v', 'Show the version'],
    ]),
    ...section('Environment', settings.map(settingRow)),
    ...section('Examples', examples),
    '',
  ].join('\n')
}
