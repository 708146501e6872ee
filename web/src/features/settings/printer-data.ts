import { useQuery } from '@tanstack/react-query'
import { type PrintJob, printersList, printJobsList } from 'kasir-client'
import { call } from '../../app/service.ts'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import { useShop } from '../../offline/shop.ts'

export const usePrinters = () =>
  useQuery({ queryKey: ['printers'], queryFn: async () => (await call(printersList)).printers })

/** How often the state of jobs is read while a page shows them. */
export const JOBS_EVERY_MS = 5_000

/** The last jobs of the workspace, the newest first. */
export const readLastJobs = async (): Promise<readonly PrintJob[]> =>
  (await callPage(printJobsList, { limit: PAGE_ROWS }, (rows) => rows)).rows

/** The kitchen stations that categories and products name. */
export function useStations(): readonly string[] {
  const categories = useShop((shop) => shop.categories)
  const products = useShop((shop) => shop.products)
  const names = [...categories, ...products].flatMap(({ station }) => station ?? [])
  return [...new Set(names)].sort((a, b) => a.localeCompare(b, 'id'))
}
