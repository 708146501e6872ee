import { useQuery } from '@tanstack/react-query'
import { type PrintJob, printJobsList } from 'kasir-client'
import { callPage } from '../app/service.ts'

const WATCH_MS = 500
const LAST_JOBS = 20
const isSettled = (job: PrintJob) => job.status === 'printed' || job.status === 'failed'

/** The present state of a job: `first` until the list of the last jobs of its printer has it. */
export function useWatchedJob(first: PrintJob | undefined): PrintJob | undefined {
  const printerId = first?.printerId ?? ''
  const jobs = useQuery({
    queryKey: ['printJobs', 'watched', first?.id],
    queryFn: async () =>
      (await callPage<readonly PrintJob[]>(printJobsList, { printerId, limit: LAST_JOBS })).data,
    enabled: first !== undefined,
    refetchInterval: ({ state }) => {
      const job = state.data?.find(({ id }) => id === first?.id)
      return job !== undefined && isSettled(job) ? false : WATCH_MS
    },
  })
  return jobs.data?.find(({ id }) => id === first?.id) ?? first
}
