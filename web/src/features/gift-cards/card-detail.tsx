import { useQueryClient } from '@tanstack/react-query'
import { giftCardsGet, giftCardsVoid } from 'kasir-client'
import { call } from '../../app/service.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import { useRecord } from '../../office/form/use-record.ts'
import { Panel } from '../../office/panel.tsx'
import { RecordFrame } from '../../office/record-frame.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatMoment } from '../../ui/time.ts'

/** The code in groups of four, as people read it aloud. */
const grouped = (code: string) => code.match(/.{1,4}/g)?.join(' ') ?? code

/** A card with its ledger. Cancelling says first how much is written off. */
export function CardDetail({ code }: { code: string }) {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const record = useRecord(['giftCard', code], async () => (await call(giftCardsGet, { code })).giftCard)
  const card = record.data
  if (!card) return <RecordState query={record} />
  return (
    <RecordFrame
      title={<span className="font-mono">{grouped(card.code)}</span>}
      aside={
        card.status === 'ACTIVE' && (
          <DeleteButton
            route="giftCards.void"
            name={card.code}
            label={t('card.void')}
            text={t('card.voidText', { amount: formatRupiah(card.balance) })}
            remove={() => call(giftCardsVoid, { id: card.id })}
            onDone={() => {
              void queries.invalidateQueries({ queryKey: ['giftCards'] })
              void setAddress({ id: null })
            }}
          />
        )
      }
    >
      <div className="flex flex-wrap items-end gap-x-6 gap-y-2">
        <p>
          <span className="block text-sm text-muted">{t('card.balance')}</span>
          <span className="text-3xl font-bold tabular-nums">{formatRupiah(card.balance)}</span>
        </p>
        <StateMark look={card.status === 'ACTIVE' ? 'good' : 'muted'}>{t(`card.${card.status}`)}</StateMark>
        <span className="text-muted">{t(`card.${card.kind}`)}</span>
        {card.note && <span className="break-words text-muted">{card.note}</span>}
      </div>
      <Panel title={t('card.ledger')}>
        <ul aria-label={t('card.ledger')} className="divide-y">
          {card.entries.map(({ id, type, amount, balanceAfter, createdAt }) => (
            <li key={id} className="flex items-center gap-3 px-4 py-2 text-sm">
              <span className="grid min-w-0 flex-1">
                <span className="font-medium">{t(`card.entry.${type}`)}</span>
                <span className="text-muted">{formatMoment(createdAt)}</span>
              </span>
              <span className="amount font-semibold">{formatRupiah(amount)}</span>
              <span className="amount w-28 text-muted">{formatRupiah(balanceAfter)}</span>
            </li>
          ))}
        </ul>
      </Panel>
    </RecordFrame>
  )
}
