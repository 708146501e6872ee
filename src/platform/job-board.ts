import type { JobRow } from './job-store.ts'

/** How a job went, for health; instants of the database's clock. */
export type JobState = {
  name: string
  status: 'ok' | 'failing' | 'waiting'
  lastRunAt: string | null
  lastFailureAt: string | null
}

/** What this process knows of the jobs, as of its last look at each: health must not wait for the database. */
export type JobBoard = {
  set(name: string, row: Pick<JobRow, 'startedAt' | 'failedAt' | 'failure'>): void
  list(): JobState[]
}

export function createJobBoard(): JobBoard {
  const states = new Map<string, JobState>()
  return {
    set: (name, { startedAt, failedAt, failure }) => {
      const status = startedAt === null ? 'waiting' : failure === null ? 'ok' : 'failing'
      states.set(name, { name, status, lastRunAt: startedAt, lastFailureAt: failedAt })
    },
    list: () => [...states.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
}
