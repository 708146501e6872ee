import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'

export type Step = { commands: string; printed: string }

const JOURNEY = /<!-- journey:[^\n]*\n([\s\S]*?)<!-- end of journey -->/
const BLOCK = /```(sh|text)\n([\s\S]*?)```/g

/** The blocks of the README's first sale: commands, each with what the page says they print. */
export async function readJourney(file: string): Promise<Step[]> {
  const [, journey = ''] = JOURNEY.exec(await readFile(file, 'utf8')) ?? []
  const steps: Step[] = []
  for (const [, kind, text = ''] of journey.matchAll(BLOCK)) {
    if (kind === 'sh') steps.push({ commands: text, printed: '' })
    else steps.splice(-1, 1, { commands: steps.at(-1)?.commands ?? '', printed: text })
  }
  return steps
}

/** What differs from one run to the next: the day of a receipt number, and keys. */
export const settled = (text: string) =>
  text
    .replaceAll(/\d{6}-(\d{4})/g, 'YYMMDD-$1')
    .replaceAll(/kasir_sk_\S+/g, 'kasir_sk_…')
    .replaceAll('\r', '')

/** The page with what was printed in its answers, for a change that is meant. */
export function updated(page: string, printed: readonly string[]): string {
  const answers = printed.filter((text) => text !== '')
  return page.replaceAll(/```text\n[\s\S]*?```/g, () => `\`\`\`text\n${answers.shift() ?? ''}\`\`\``)
}

/** Runs the steps in one shell, as a reader would, and answers what each of them printed. */
export async function walk(steps: readonly Step[], address: string, cwd: string): Promise<string[]> {
  const mark = '--- end of step ---'
  const script = steps
    .map(({ commands }) => `${commands.replaceAll('http://127.0.0.1:3000', address)}\necho '${mark}'`)
    .join('\n')
  // Bash takes a socket as its input for a remote shell and would read the machine's start-up files.
  const options = ['--norc', '--noprofile', '-eu', '-o', 'pipefail', '-c', script]
  const shell = spawn('bash', options, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const parts: string[] = []
  shell.stdout.setEncoding('utf8').on('data', (text: string) => parts.push(text))
  shell.stderr.setEncoding('utf8').on('data', (text: string) => parts.push(text))
  await new Promise((resolve) => shell.once('close', resolve))
  return parts.join('').split(`${mark}\n`).slice(0, steps.length)
}

/**
 * Runs the steps twice on the same database, as a reader would who comes back, and answers what each of them printed the
 * second time; throws where the two differ.
 */
export async function walkTwice(
  steps: readonly Step[],
  address: string,
  cwd: string,
  settle: (text: string) => string = settled,
): Promise<string[]> {
  const first = await walk(steps, address, cwd)
  const second = await walk(steps, address, cwd)
  const differs = second.findIndex((text, step) => settle(text) !== settle(first[step] ?? ''))
  if (differs === -1) return second
  throw new Error(`Step ${differs + 1} printed another text in its second run:\n${second[differs]}`)
}
