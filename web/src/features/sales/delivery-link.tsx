import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { modulesList } from 'kasir-client'
import { Bike } from 'lucide-react'
import { call } from '../../app/service.ts'
import { useSalesTexts } from '../../texts/sales/texts.ts'

/** Leads to the page that sends a sale with a courier of the fulfillment partner; absent while its module is off. */
export function DeliveryLink({ saleId }: { saleId: string }) {
  const t = useSalesTexts()
  const modules = useQuery({ queryKey: ['modules'], queryFn: async () => (await call(modulesList)).modules })
  if (!modules.data?.some(({ module, enabled }) => module === 'fulfillment' && enabled)) return null
  return (
    <Link
      to="/pengiriman"
      search={{ tab: 'orders', id: saleId }}
      className="col-span-2 inline-flex min-h-12 items-center justify-center gap-2 rounded-xl border border-control/60 px-4 font-medium hover:border-control"
    >
      <Bike aria-hidden size={18} />
      {t('sale.send')}
    </Link>
  )
}
