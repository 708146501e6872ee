import type { TicketItem } from 'kasir-client'
import { Check, Circle, CircleDashed, CircleX } from 'lucide-react'
import { boardQuantity } from '../../selling/quantity.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'

const ICONS = { NEW: Circle, PREPARING: CircleDashed, READY: Check, SERVED: Check } as const
const LOOKS = { NEW: 'text-brand', PREPARING: 'text-warn', READY: 'text-good', SERVED: 'text-good' } as const

export const nameOf = ({ name, variantName }: Pick<TicketItem, 'name' | 'variantName'>) =>
  variantName === '' || variantName === 'Default' ? name : `${name} ${variantName}`

/** Modifiers and note, each on its own line. */
export function ItemDetails({ item }: { item: TicketItem }) {
  return (
    <>
      {item.modifiers.length > 0 && (
        <span className="block text-xl font-normal break-words text-warn">
          {item.modifiers.map(({ name }) => name).join(' · ')}
        </span>
      )}
      {item.note && <span className="block text-xl font-semibold break-words text-danger">{item.note}</span>}
    </>
  )
}

/** One dish of a ticket. A tap moves it one step; a cancelled one stays until the cook has seen it. */
export function ItemRow({
  item,
  isGone,
  onStep,
  onSeen,
}: {
  item: TicketItem
  isGone: boolean
  onStep(): void
  onSeen(): void
}) {
  const t = useTexts()
  if (isGone || !item.isActive)
    return (
      <li className="px-3 py-2 text-2xl leading-snug font-semibold">
        <span className="flex items-start gap-3 text-danger">
          <CircleX aria-hidden size={26} className="mt-0.5 shrink-0" />
          <span className="min-w-0 flex-1">
            <s className="break-words">
              {boardQuantity(item, isGone && item.isActive ? item.quantity : item.cancelledQty)}{' '}
              {nameOf(item)}
            </s>
            <span className="block text-lg uppercase">{t('kitchen.cancelled')}</span>
          </span>
          {!isGone && (
            <Button
              className="shrink-0 text-lg"
              aria-label={`${t('kitchen.seen')} ${nameOf(item)}`}
              onClick={onSeen}
            >
              {t('kitchen.seen')}
            </Button>
          )}
        </span>
      </li>
    )
  const Icon = ICONS[item.status]
  return (
    <li>
      <button
        type="button"
        className="flex min-h-14 w-full items-start gap-3 rounded-xl px-3 py-2 text-left text-2xl leading-snug font-semibold hover:bg-line/60"
        onClick={onStep}
      >
        <span className={classes('flex shrink-0 items-center pt-0.5', LOOKS[item.status])}>
          <Icon aria-hidden size={26} />
          <span className="sr-only">{t(`kitchen.state.${item.status}`)}</span>
        </span>
        <span className="min-w-0 flex-1 break-words">
          <span className="tabular-nums">{boardQuantity(item, item.quantity)}</span> {nameOf(item)}
          <ItemDetails item={item} />
        </span>
      </button>
    </li>
  )
}
