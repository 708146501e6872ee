import type { Outlet, PriceList, TillPromotion } from 'kasir-client'
import { foldCase } from '../../core.ts'
import { useShop } from '../../offline/shop.ts'
import { useCart } from '../../selling/cart-store.ts'
import { useCounterTexts } from '../../texts/counter/texts.ts'
import { ToggleRow } from '../../ui/toggle-row.tsx'

type Rule = Pick<PriceList | TillPromotion, 'channels' | 'outletIds'>

/** The channels that price lists or promotions of an outlet name, each once whatever its case. */
function channelsIn(rules: readonly Rule[], outletId: string): string[] {
  const own = rules.filter(({ outletIds }) => outletIds === null || outletIds.includes(outletId))
  const named = own.flatMap(({ channels }) => channels ?? []).map((name) => name.trim())
  // The first spelling counts: that of a price list before that of a promotion.
  return [...new Map(named.toReversed().map((name) => [foldCase(name), name])).values()].sort()
}

/** Where the order comes from: the price lists of a channel set other prices for it. */
export function ChannelRow({ outlet }: { outlet: Outlet | undefined }) {
  const t = useCounterTexts()
  const lists = useShop((shop) => shop.priceLists)
  const promotions = useShop((shop) => shop.promotions?.promotions)
  const channel = useCart((cart) => cart.channel)
  const change = useCart((cart) => cart.change)
  if (outlet === undefined) return null
  const names = channelsIn([...(lists ?? []), ...(promotions ?? [])], outlet.id)
  const chosen = names.find((name) => foldCase(name) === foldCase(channel ?? '')) ?? channel
  // A bill of another program may have a channel that no list names.
  const shown = chosen === null || names.includes(chosen) ? names : [...names, chosen]
  if (shown.length === 0) return null
  return (
    <ToggleRow
      label={t('channel')}
      options={[
        { value: null, text: t('channel.none') },
        ...shown.map((name) => ({ value: name, text: name })),
      ]}
      value={chosen}
      onValue={(name) => change((cart) => ({ ...cart, channel: name }))}
    />
  )
}
