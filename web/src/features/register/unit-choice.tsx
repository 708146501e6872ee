import type { Pack } from 'kasir-client'
import { useTexts } from '../../texts/texts.ts'
import { Choice } from '../../ui/choice.tsx'
import { UNIT } from './goods-choice.ts'

type UnitChoiceProps = {
  packs: readonly Pack[]
  chosen: Pack | null
  /** The price of a pack, or of a single unit for null. */
  priceOf(pack: Pack | null): number
  onChoose(packId: string): void
}

/** What the quantity counts: single units, or one of the packs of the variant. */
export function UnitChoice({ packs, chosen, priceOf, onChoose }: UnitChoiceProps) {
  const t = useTexts()
  if (packs.length === 0) return null
  return (
    <Choice
      label={t('goods.unit')}
      hint={t('goods.pickOne')}
      options={[
        { id: UNIT, name: t('goods.single'), price: priceOf(null) },
        ...packs.map((pack) => ({
          id: pack.id,
          name: `${pack.name} (${pack.factor})`,
          price: priceOf(pack),
        })),
      ]}
      min={1}
      max={1}
      chosen={new Set([chosen?.id ?? UNIT])}
      onChoose={(ids) => onChoose([...ids][0] ?? UNIT)}
    />
  )
}
