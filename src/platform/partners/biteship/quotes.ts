import type { PartnerRequest } from '../client.ts'
import type { Forward } from '../forward.ts'
import type { Biteship } from './api.ts'

/** Couriers with their services. */
export async function catalogueOf(api: Biteship, forward: Forward) {
  const rows = await api.services(forward)
  return [...new Set(rows.map((row) => row.courier_code))].map((code) => {
    const services = rows.filter((row) => row.courier_code === code)
    return {
      code,
      name: services[0]?.courier_name ?? code,
      services: services.map((one) => ({
        code: one.courier_service_code,
        name: one.courier_service_name,
      })),
    }
  })
}

/** Prices without insurance, in whole rupiah. */
export const quotesOf = async (api: Biteship, asked: PartnerRequest, forward: Forward) =>
  (await api.rates(asked, forward)).map((row) => {
    const insuranceFee = Math.round(row.insurance_fee ?? 0)
    return {
      courierCode: row.courier_code,
      courierName: row.courier_name,
      courierServiceCode: row.courier_service_code,
      courierServiceName: row.courier_service_name,
      price: Math.max(0, Math.round(row.price) - insuranceFee),
      insuranceFee,
      duration: row.duration ?? null,
      type: row.type ?? null,
    }
  })
