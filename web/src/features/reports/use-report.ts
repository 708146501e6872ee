import { useQuery } from '@tanstack/react-query'
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
import { call } from '../../app/service.ts'
import { daysBetween } from '../../office/days.ts'
import { type Period, periodBefore } from './range.ts'

export type ReportRequest = Period & { outletId: string; today: string }

const key = (name: string, request: ReportRequest) => ['reports', name, request] as const
const inputOf = ({ outletId, from, to }: ReportRequest) => ({ outletId, from, to })

/** The figures of the period and of the one before. */
export const useSummary = (request: ReportRequest) =>
  useQuery({
    queryKey: key('summary', request),
    queryFn: async () => {
      const [now, before] = await Promise.all([
        call(reportsGetSummary, inputOf(request)),
        call(reportsGetSummary, { outletId: request.outletId, ...periodBefore(request) }),
      ])
      return { now, before }
    },
  })

/** The most days that the service answers. */
export const MOST_DAYS = 365

/** Each day of the period; the service counts days back from today. */
export const useDays = (request: ReportRequest) =>
  useQuery({
    queryKey: key('days', request),
    queryFn: async () => {
      const days = Math.min(daysBetween(request.from, request.today) + 1, MOST_DAYS)
      const answer = await call(reportsListSalesByDay, {
        outletId: request.outletId,
        days: Math.max(days, 1),
      })
      return answer.days.filter(({ date }) => date >= request.from && date < request.to)
    },
  })

export const useCategories = (request: ReportRequest) =>
  useQuery({
    queryKey: key('categories', request),
    queryFn: async () => (await call(reportsListCategories, inputOf(request))).categories,
  })

export const useProducts = (request: ReportRequest) =>
  useQuery({
    queryKey: key('products', request),
    queryFn: () => call(reportsGetMargin, { ...inputOf(request), limit: 500 }),
  })

export const useCashiers = (request: ReportRequest) =>
  useQuery({
    queryKey: key('cashiers', request),
    queryFn: async () => (await call(reportsListCashiers, inputOf(request))).cashiers,
  })

export const useExpenses = (request: ReportRequest) =>
  useQuery({
    queryKey: key('expenses', request),
    queryFn: async () => (await call(reportsListExpenses, inputOf(request))).expenses,
  })

export const usePromotions = (request: ReportRequest) =>
  useQuery({
    queryKey: key('promotions', request),
    queryFn: async () => (await call(reportsListPromotions, inputOf(request))).promotions,
  })

export const useHours = (request: ReportRequest) =>
  useQuery({
    queryKey: key('hours', request),
    queryFn: async () => (await call(reportsListHours, inputOf(request))).hours,
  })

/** The debts of today; they have no period and no outlet. */
export const useReceivables = () =>
  useQuery({
    queryKey: ['reports', 'receivables'],
    queryFn: async () => (await call(reportsListReceivables)).receivables,
  })

/** The most rows that the service answers; the total is of all. */
export const MOST_VALUE_ROWS = 500

export const useStockValue = (outletId: string, date: string) =>
  useQuery({
    queryKey: ['reports', 'value', outletId, date],
    queryFn: () => call(reportsGetStockValue, { outletId, date, limit: MOST_VALUE_ROWS }),
  })
