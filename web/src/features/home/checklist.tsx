import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { inventoryListLevels, membersList, outletsList, productsList } from 'kasir-client'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { call } from '../../app/service.ts'
import { useMay } from '../../office/may.tsx'
import type { PagePath } from '../../office/page-routes.ts'
import { Panel } from '../../office/panel.tsx'
import { type OfficeKey, useOfficeTexts } from '../../texts/office/texts.ts'

type Step = { text: OfficeKey; to: PagePath; isDone: boolean }

/** The steps that a new business has not finished. The list disappears when everything is done. */
export function Checklist() {
  const t = useOfficeTexts()
  const may = useMay()
  const isOwner = may('members.list')
  const steps = useQuery({
    queryKey: ['home', 'checklist', isOwner],
    queryFn: async (): Promise<Step[]> => {
      const [{ outlets }, { products }, { levels }, members] = await Promise.all([
        call(outletsList),
        call(productsList, { limit: 1 }),
        call(inventoryListLevels, { limit: 1 }),
        isOwner ? call(membersList) : null,
      ])
      return [
        { text: 'setup.outlet', to: '/pengaturan', isDone: outlets.some(({ address }) => address !== null) },
        { text: 'setup.products', to: '/produk', isDone: products.length > 0 },
        { text: 'setup.stock', to: '/stok', isDone: levels.length > 0 },
        ...(members === null
          ? []
          : [{ text: 'setup.members', to: '/orang', isDone: members.members.length > 1 } as const]),
      ]
    },
  })
  const open = (steps.data ?? []).filter(({ isDone }) => !isDone)
  if (open.length === 0) return null
  return (
    <Panel title={t('setup.title')}>
      <ul aria-label={t('setup.title')} className="divide-y">
        {(steps.data ?? []).map(({ text, to, isDone }) => (
          <li key={text}>
            <Link to={to} className="flex min-h-12 items-center gap-3 px-4 py-2 hover:bg-line/40">
              {isDone ? (
                <CircleCheck aria-hidden size={20} className="text-good" />
              ) : (
                <CircleDashed aria-hidden size={20} className="text-muted" />
              )}
              <span className="flex-1">{t(text)}</span>
              {isDone && <span className="text-sm text-good">{t('setup.done')}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
