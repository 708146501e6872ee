import { useQueries } from '@tanstack/react-query'
import { type Product, recipesGet } from 'kasir-client'
import { ChefHat } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { May } from '../../office/may.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'

const RecipeDialog = lazyPart(() => import('./recipe-dialog.tsx').then((file) => file.RecipeDialog))

/** The recipe of each variant, with its cost and margin. */
export function RecipeList({ product }: { product: Product }) {
  const t = useOfficeTexts()
  const [openId, setOpenId] = useState<string | null>(null)
  const recipes = useQueries({
    queries: product.variants.map(({ id }) => ({
      queryKey: ['recipe', product.id, id],
      queryFn: () => call(recipesGet, { id: product.id, vid: id }),
    })),
  })
  const open = product.variants.findIndex(({ id }) => id === openId)
  const openRecipe = recipes[open]?.data
  const openVariant = product.variants[open]
  return (
    <section aria-label={t('recipe')} className="grid gap-2">
      <h2 className="text-lg font-semibold">{t('recipe')}</h2>
      <ul className="divide-y rounded-xl border bg-panel">
        {product.variants.map((variant, at) => {
          const recipe = recipes[at]?.data
          return (
            <li key={variant.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
              <span className="min-w-0 flex-1 font-medium break-words">{variant.name}</span>
              <span className="text-sm text-muted">
                {recipe?.isComposite
                  ? t('recipe.summary', {
                      n: recipe.components.length,
                      cost: formatRupiah(recipe.derivedCost ?? 0),
                      margin: formatRupiah(variant.price - (recipe.derivedCost ?? 0)),
                    })
                  : t('recipe.none')}
              </span>
              <May route="recipes.replace">
                <Button
                  disabled={recipe === undefined}
                  aria-label={t('recipe.editOf', { name: variant.name })}
                  onClick={() => setOpenId(variant.id)}
                >
                  <ChefHat aria-hidden size={18} />
                  {t('recipe.edit')}
                </Button>
              </May>
            </li>
          )
        })}
      </ul>
      {openVariant && openRecipe && (
        <RecipeDialog
          productId={product.id}
          variant={openVariant}
          recipe={openRecipe}
          onClose={() => setOpenId(null)}
        />
      )}
    </section>
  )
}
