import { SingleBar } from 'cli-progress'
import { say } from './command.ts'

export type ProgressBar = { step(by?: number): void; end(): void }

/** Shows a bar on a terminal, or a line for every tenth of the work in a log file. */
export function progressOf(label: string, total: number, shows: Shows = COUNT, tell = say): ProgressBar {
  if (total === 0) return { step: () => {}, end: () => {} }
  return process.stdout.isTTY ? bar(label, total, shows) : lines(label, total, shows, tell)
}

type Shows = { bar: string; line(done: number, total: number): string }
const COUNT: Shows = { bar: ' · {value} of {total}', line: (done, total) => `${done} of ${total}` }
const PERCENT: Shows = { bar: '', line: (done) => `${done}%` }

function bar(label: string, total: number, shows: Shows): ProgressBar {
  const shown = new SingleBar({
    format: `${label} {bar} {percentage}%${shows.bar} · {eta_formatted} left`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    hideCursor: true,
    fps: 5,
  })
  shown.start(total, 0)
  return { step: (by = 1) => shown.increment(by), end: () => shown.stop() }
}

function lines(label: string, total: number, shows: Shows, tell: typeof say): ProgressBar {
  let done = 0
  return {
    step: (by = 1) => {
      const before = Math.floor((done * 10) / total)
      done += by
      const now = Math.floor((done * 10) / total)
      if (now > before) tell(`${label}: ${shows.line(done, total)}`)
    },
    end: () => {},
  }
}

/**
 * Shows work that reports its progress as a percentage, because its units mean little to people.
 */
export function percentOf(label: string, tell = say): { at(done: number, total: number): void; end(): void } {
  const progress = progressOf(label, 100, PERCENT, tell)
  let shown = 0
  return {
    at: (done, total) => {
      const percent = total === 0 ? 100 : Math.min(100, Math.floor((done * 100) / total))
      if (percent > shown) progress.step(percent - shown)
      shown = Math.max(shown, percent)
    },
    end: progress.end,
  }
}
