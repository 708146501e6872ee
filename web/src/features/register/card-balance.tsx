import { useQuery } from '@tanstack/react-query'
import { giftCardsGet, isKasirError } from 'kasir-client'
import { useDeferredValue } from 'react'
import { call } from '../../app/service.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'

/** A length below that of any code. */
const LEAST = 6

type CardBalanceProps = { code: string; remaining: number; onTake(amount: number): void }

/** The balance of a gift card, and a button that takes as much of it as the sale needs. */
export function CardBalance({ code, remaining, onTake }: CardBalanceProps) {
  const t = useTexts()
  const typed = useDeferredValue(code.trim())
  const card = useQuery({
    queryKey: ['giftCard', typed],
    queryFn: async () => {
      try {
        return (await call(giftCardsGet, { code: typed })).giftCard
      } catch (error) {
        if (isKasirError(error) && error.status === 404) return null
        throw error
      }
    },
    enabled: typed.length >= LEAST,
  })
  if (card.error) return <Failure error={card.error} />
  if (card.data === undefined) return null
  if (card.data === null || card.data.status !== 'ACTIVE') return <Notice text={t('pay.cardUnknown')} />
  const amount = Math.min(card.data.balance, remaining)
  return (
    <Button content="spread" onClick={() => onTake(amount)}>
      <span>{t('pay.balance', { amount: formatRupiah(card.data.balance) })}</span>
      <span className="amount">{t('pay.take', { amount: formatRupiah(amount) })}</span>
    </Button>
  )
}
