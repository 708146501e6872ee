import { useQueryClient } from '@tanstack/react-query'
import { type Recipe, recipesGet, recipesReplace, type Variant } from 'kasir-client'
import { Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { call } from '../../app/service.ts'
import { ConflictDialog } from '../../office/form/conflict-dialog.tsx'
import { RestoredNotice } from '../../office/form/restored-notice.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { isValid } from '../../office/form/validity.ts'
import { WholeInput } from '../../office/form/whole-input.tsx'
import { VariantPicker } from '../../office/variant-picker.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { FIELD } from '../../ui/field.tsx'

type Component = { componentVariantId: string; name: string; quantity: number; unit: string | null }
type RecipeForm = { components: readonly Component[] }
type RecipeDialogProps = { productId: string; variant: Variant; recipe: Recipe; onClose(): void }

const toForm = ({ components }: Recipe): RecipeForm => ({
  components: components.map(({ componentVariantId, productName, variantName, quantity, unit }) => ({
    componentVariantId,
    name: `${productName} · ${variantName}`,
    quantity,
    unit,
  })),
})

/** The components that a sale of the variant takes from stock. */
export function RecipeDialog({ productId, variant, recipe, onClose }: RecipeDialogProps) {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const place = { id: productId, vid: variant.id }
  const form = useForm<RecipeForm>({
    name: `recipe:${variant.id}`,
    initial: toForm(recipe),
    save: ({ components: typed }, _changes, options) =>
      call(
        recipesReplace,
        {
          ...place,
          isComposite: typed.length > 0,
          components: typed.map(({ name: _, ...component }) => component),
        },
        options,
      ),
    readAgain: async () => toForm(await call(recipesGet, place)),
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: ['recipe', productId, variant.id] })
      onClose()
    },
  })
  const rows = useRef<HTMLUListElement>(null)
  const { components } = form.values
  const setComponents = (next: readonly Component[]) => form.set({ components: next })
  const setRow = (id: string, change: Partial<Component>) =>
    setComponents(components.map((row) => (row.componentVariantId === id ? { ...row, ...change } : row)))
  const close = () => {
    form.discard()
    onClose()
  }
  return (
    <Dialog
      title={t('recipe.editOf', { name: variant.name })}
      onClose={close}
      actions={
        <Button
          look="primary"
          className="flex-1"
          disabled={form.isBusy}
          onClick={() => isValid(rows.current) && void form.submit()}
        >
          {t('form.save')}
        </Button>
      }
    >
      <div className="grid gap-4">
        <RestoredNotice form={form} />
        <p className="text-sm text-muted">{t('recipe.text')}</p>
        <ul ref={rows} className="grid gap-2">
          {components.map(({ componentVariantId: id, name, quantity, unit }) => (
            <li key={id} className="grid grid-cols-[1fr_5rem_5rem_auto] items-center gap-2">
              <span className="min-w-0 text-sm font-medium break-words">{name}</span>
              <WholeInput
                min={1}
                aria-label={t('recipe.quantityOf', { name })}
                className={`${FIELD} px-2!`}
                value={quantity}
                onValue={(typed) => setRow(id, { quantity: typed ?? 0 })}
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
                onClick={() => setComponents(components.filter((row) => row.componentVariantId !== id))}
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
            setComponents([...components, { componentVariantId: variantId, name, quantity: 1, unit: null }])
          }
        />
        <Failure error={form.error} />
      </div>
      {form.conflict && (
        <ConflictDialog
          form={form}
          fields={[]}
          partLabels={{ components: t('recipe') }}
          conflict={form.conflict}
        />
      )}
    </Dialog>
  )
}
