import { useOfficeSearch } from '../../office/search-state.ts'
import { Tabs } from '../../office/tabs.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { BatchEditor } from './batch-form.tsx'
import { BatchList } from './batch-list.tsx'
import { CountList } from './count/count-list.tsx'
import { LevelEditor } from './level-form.tsx'
import { LevelList } from './level-list.tsx'
import { MovementList } from './movement-list.tsx'

const CompositeList = lazyPart(() => import('./composite-list.tsx').then((file) => file.CompositeList))
const CountStart = lazyPart(() => import('./count/count-start.tsx').then((file) => file.CountStart))
const TransferEditor = lazyPart(() => import('./transfer-form.tsx').then((file) => file.TransferEditor))
// A count is opened less often than the lists, and brings the camera.
const CountPage = lazyPart(() => import('./count/count-page.tsx').then((file) => file.CountPage))

/** Levels, their movements, batches and counts, with the forms that change them. */
export function StockPage() {
  const t = useOfficeTexts()
  const [{ tab = 'levels', id }] = useOfficeSearch()
  if (tab === 'counts' && id !== undefined)
    return id === 'new' ? <CountStart /> : <CountPage key={id} id={id} />
  if (id === 'transfer') return <TransferEditor />
  if (id === 'batch') return <BatchEditor />
  if (id !== undefined) return <LevelEditor key={id} id={id} />
  return (
    <>
      <Tabs
        label={t('area.stock')}
        tabs={[
          { key: 'levels', text: t('stock.levels') },
          { key: 'movements', text: t('stock.movements') },
          { key: 'batches', text: t('stock.batches') },
          { key: 'composites', text: t('composites') },
          { key: 'counts', text: t('counts') },
        ]}
      />
      {tab === 'levels' && <LevelList />}
      {tab === 'movements' && <MovementList />}
      {tab === 'batches' && <BatchList />}
      {tab === 'composites' && <CompositeList />}
      {tab === 'counts' && <CountList />}
    </>
  )
}
