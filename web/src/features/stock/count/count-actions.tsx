import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type StockCountDetail, stockCountsCancel, stockCountsGet, stockCountsPost } from 'kasir-client'
import { call } from '../../../app/service.ts'
import { type SoldBy, unitsAndWeight } from '../../../office/goods-amounts.ts'
import { May } from '../../../office/may.tsx'
import { useOfficeTexts } from '../../../texts/office/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failure } from '../../../ui/failure.tsx'
import type { CountForm, Refusal } from './use-counting.ts'

type End = 'post' | 'cancel'
/** The question on the screen; `preparing` while the goods scanned last are saved before it. */
export type CountEnding = End | 'preparing' | null
type CountActionsProps = {
  count: StockCountDetail
  counting: CountForm
  asked: CountEnding
  onAsk(next: CountEnding): void
  onCount(next: StockCountDetail): void
}

/** Ends a count: its differences are posted once, or it is cancelled and changes nothing. */
export function CountActions({ count, counting, asked, onAsk, onCount }: CountActionsProps) {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const { refusal } = counting
  const ending = useMutation({
    mutationFn: async (end: End) => {
      await (end === 'post'
        ? call(stockCountsPost, { id: count.id })
        : call(stockCountsCancel, { id: count.id }))
      return (await call(stockCountsGet, { id: count.id })).stockCount
    },
    onSuccess: (next) => {
      onAsk(null)
      onCount(next)
    },
  })
  const askToPost = async () => {
    onAsk('preparing')
    const isReady = await counting.finish()
    // The figures of the question include what other devices counted since the last read.
    if (isReady) await queries.refetchQueries({ queryKey: ['stockCount', count.id] })
    onAsk(isReady ? 'post' : null)
  }
  const close = () => {
    ending.reset()
    onAsk(null)
  }
  const different = count.lines.filter(({ variance }) => variance !== 0)
  const sumOf = (sign: 1 | -1, by: SoldBy) =>
    different.reduce(
      (total, { variance, soldBy }) => total + (soldBy === by ? Math.max(0, sign * (variance ?? 0)) : 0),
      0,
    )
  const sum = (sign: 1 | -1) =>
    unitsAndWeight({ quantity: sumOf(sign, 'UNIT'), grams: sumOf(sign, 'WEIGHT') })
  return (
    <footer className="sticky bottom-0 flex flex-wrap gap-3 border-t bg-ground py-3">
      {refusal !== null && refusal.goods === counting.now && <NotSaved refusal={refusal} />}
      <May route="stockCounts.cancel">
        <Button onClick={() => onAsk('cancel')}>{t('count.cancel')}</Button>
      </May>
      <May route="stockCounts.post">
        <Button
          look="primary"
          className="flex-1"
          disabled={(count.lines.length === 0 && counting.now === null) || asked === 'preparing'}
          onClick={() => void askToPost()}
        >
          {t('count.post')}
        </Button>
      </May>
      {(asked === 'post' || asked === 'cancel') && (
        <Dialog
          title={t(asked === 'post' ? 'count.post' : 'count.cancel')}
          onClose={close}
          actions={
            <Button
              className="flex-1"
              look={asked === 'post' ? 'primary' : 'danger'}
              disabled={ending.isPending}
              onClick={() => ending.mutate(asked)}
            >
              {t(asked === 'post' ? 'count.postNow' : 'count.cancelNow')}
            </Button>
          }
        >
          <div className="grid gap-3">
            <p>
              {asked === 'cancel'
                ? t('count.cancelText')
                : count.blind
                  ? t('count.postBlind', { n: count.lines.length })
                  : t('count.postText', {
                      n: different.length,
                      more: sum(1),
                      less: sum(-1),
                    })}
            </p>
            <Failure error={ending.error} />
          </div>
        </Dialog>
      )}
    </footer>
  )
}

function NotSaved({ refusal: { goods, error } }: { refusal: Refusal }) {
  const t = useOfficeTexts()
  return (
    <div className="w-full">
      {error === null ? (
        <p role="alert" className="rounded-xl bg-danger-soft p-3 font-medium text-danger wrap-anywhere">
          {goods?.isUnread === true ? t('whole.only') : t('count.noQuantity', { goods: goods?.name ?? '' })}
        </p>
      ) : (
        <Failure error={error} />
      )}
    </div>
  )
}
