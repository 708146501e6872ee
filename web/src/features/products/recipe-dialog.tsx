import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Recipe, recipesReplace, type Variant } from 'kasir-client'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { VariantPicker } from '../../office/variant-picker.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { FIELD } from '../../ui/field.tsx'

type Component = { componentVariantId: string; name: string; quantity: number; unit: string | null }
type RecipeDialogProps = { productId: string; variant: Variant; recipe: Recipe; onClose(): void }

/** The components that a sale of the variant takes from stock. */
export function RecipeDialog({ productId, variant, recipe, onClose }: RecipeDialogProps) {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const [components, setComponents] = useState<readonly Component[]>(
    recipe.components.map(({ componentVariantId, productName, variantName, quantity, unit }) => ({
      componentVariantId,
      name: `${productName} · ${variantName}`,
      quantity,
      unit,
    })),
  )
  const save = useMutation({
    mutationFn: () =>
      call(recipesReplace, {
        id: productId,
        vid: variant.id,
        isComposite: components.length > 0,
        components: components.map(({ name: _, ...component }) => component),
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['recipe', productId, variant.id] })
      onClose()
    },
  })
  const setRow = (id: string, change: Partial<Component>) =>
    setComponents((now) => now.map((row) => (row.componentVariantId === id ? { ...row, ...change } : row)))
  return (
    <Dialog
      title={t('recipe.editOf', { name: variant.name })}
      onClose={onClose}
      actions={
        <Button look="primary" className="flex-1" disabled={save.isPending} onClick={() => save.mutate()}>
          {t('form.save')}
        </Button>
      }
    >
      <div className="grid gap-4">
        <p className="text-sm text-muted">{t('recipe.text')}</p>
        <ul className="grid gap-2">
          {components.map(({ componentVariantId: id, name, quantity, unit }) => (
            <li key={id} className="grid grid-cols-[1fr_5rem_5rem_auto] items-center gap-2">
              <span className="min-w-0 text-sm font-medium break-words">{name}</span>
              <input
                type="number"
                min={1}
                aria-label={t('recipe.quantityOf', { name })}
                className={`${FIELD} amount px-2!`}
                value={quantity}
                onChange={({ target }) => setRow(id, { quantity: Number(target.value) })}
              />
              <input
                aria-label={t('recipe.unitOf', { name })}
                placeholder={t('recipe.unit')}
                maxLength={20}
                className={`${FIELD} px-2!`}
                value={unit ?? ''}
                onChange={({ target }) => setRow(id, { unit: target.value || null })}
              />
              <Button
                look="quiet"
                size="icon"
                aria-label={t('remove', { name })}
                onClick={() => setComponents((now) => now.filter((row) => row.componentVariantId !== id))}
              >
                <Trash2 aria-hidden size={18} />
              </Button>
            </li>
          ))}
        </ul>
        <VariantPicker
          label={t('recipe.add')}
          except={[variant.id, ...components.map(({ componentVariantId }) => componentVariantId)]}
          onPick={({ variantId, name }) =>
            setComponents((now) => [...now, { componentVariantId: variantId, name, quantity: 1, unit: null }])
          }
        />
        <Failure error={save.error} />
      </div>
    </Dialog>
  )
}
