import { SingleBar } from 'cli-progress'
import { say } from './command.ts'

export type Progress = { step(by?: number): void; end(): void }

/** A bar for a person, a line for every tenth of the way for a log file. */
export function progressOf(label: string, total: number): Progress {
  if (total === 0) return { step: () => {}, end: () => {} }
  return process.stdout.isTTY ? bar(label, total) : lines(label, total)
}

function bar(label: string, total: number): Progress {
  const shown = new SingleBar({
    format: `${label} {bar} {percentage}% · {value} of {total} · {eta_formatted} left`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    hideCursor: true,
    fps: 5,
  })
  shown.start(total, 0)
  return { step: (by = 1) => shown.increment(by), end: () => shown.stop() }
}

function lines(label: string, total: number): Progress {
  let done = 0
  return {
    step: (by = 1) => {
      const before = Math.floor((done * 10) / total)
      done += by
      const now = Math.floor((done * 10) / total)
      if (now > before) say(`${label}: ${done} of ${total}`)
    },
    end: () => {},
  }
}
