import {
  reportsGetMargin,
  reportsGetStockValue,
  reportsGetSummary,
  reportsListCashiers,
  reportsListCategories,
  reportsListExpenses,
  reportsListHours,
  reportsListPromotions,
  reportsListReceivables,
  reportsListSalesByDay,
} from 'kasir-client'
import { daysBetween } from '../../office/days.ts'
import { useReportQuery } from '../../office/report-query.ts'
import { type Period, periodBefore } from './range.ts'

export type ReportRequest = Period & { outletId: string; today: string }

const key = (name: string, request: ReportRequest) => ['reports', name, request] as const
const inputOf = ({ outletId, from, to }: ReportRequest) => ({ outletId, from, to })

/** The figures of the period and of the one before. */
export const useSummary = (request: ReportRequest) =>
  useReportQuery({
    queryKey: key('summary', request),
    read: async (ask) => {
      const [now, before] = await Promise.all([
        ask(reportsGetSummary, inputOf(request)),
        ask(reportsGetSummary, { outletId: request.outletId, ...periodBefore(request) }),
      ])
      return { now, before }
    },
  })

/** The most days that the service answers. */
export const MOST_DAYS = 365

/** Each day of the period, and when the service computed them; it counts days back from today. */
export const useDays = (request: ReportRequest) =>
  useReportQuery({
    queryKey: key('days', request),
    read: async (ask, computedAt) => {
      const most = Math.min(daysBetween(request.from, request.today) + 1, MOST_DAYS)
      const answer = await ask(reportsListSalesByDay, {
        outletId: request.outletId,
        days: Math.max(most, 1),
      })
      const days = answer.days.filter(({ date }) => date >= request.from && date < request.to)
      return { days, computedAt: computedAt[0] ?? '' }
    },
  })

export const useCategories = (request: ReportRequest) =>
  useReportQuery({
    queryKey: key('categories', request),
    read: async (ask) => (await ask(reportsListCategories, inputOf(request))).categories,
  })

/** The most products or variants that the service answers; the total is of all. */
export const MOST_ROWS = 500

export const useProducts = (request: ReportRequest) =>
  useReportQuery({
    queryKey: key('products', request),
    read: (ask) => ask(reportsGetMargin, { ...inputOf(request), limit: MOST_ROWS }),
  })

export const useCashiers = (request: ReportRequest) =>
  useReportQuery({
    queryKey: key('cashiers', request),
    read: async (ask) => (await ask(reportsListCashiers, inputOf(request))).cashiers,
  })

export const useExpenses = (request: ReportRequest) =>
  useReportQuery({
    queryKey: key('expenses', request),
    read: async (ask) => (await ask(reportsListExpenses, inputOf(request))).expenses,
  })

export const usePromotions = (request: ReportRequest) =>
  useReportQuery({
    queryKey: key('promotions', request),
    read: async (ask) => (await ask(reportsListPromotions, inputOf(request))).promotions,
  })

export const useHours = (request: ReportRequest) =>
  useReportQuery({
    queryKey: key('hours', request),
    read: async (ask) => (await ask(reportsListHours, inputOf(request))).hours,
  })

/** The debts of today; they have no period and no outlet. */
export const useReceivables = () =>
  useReportQuery({
    queryKey: ['reports', 'receivables'],
    read: async (ask) => (await ask(reportsListReceivables, {})).receivables,
  })

export const useStockValue = (outletId: string, date: string) =>
  useReportQuery({
    queryKey: ['reports', 'value', outletId, date],
    read: (ask) => ask(reportsGetStockValue, { outletId, date, limit: MOST_ROWS }),
  })
