import type { Category } from 'kasir-client'
import { useRegister } from '../../selling/register-store.ts'
import { useTexts } from '../../texts/texts.ts'
import { classes } from '../../ui/classes.ts'

/** The categories in one row that scrolls sideways; each tap shows one. */
export function CategoryBar({ categories }: { categories: readonly Category[] }) {
  const t = useTexts()
  const { categoryId, show } = useRegister()
  const chosenId = categories.find(({ id }) => id === categoryId)?.id ?? null
  const all = { id: null, name: t('categories.all') }
  return (
    <div
      role="group"
      aria-label={t('categories')}
      className="-mx-1 flex shrink-0 gap-2 overflow-x-auto p-1 [scrollbar-width:none]"
    >
      {[all, ...categories].map(({ id, name }) => {
        const isChosen = id === chosenId
        return (
          <button
            key={id ?? 'all'}
            type="button"
            aria-pressed={isChosen}
            onClick={() => show({ categoryId: id, query: '' })}
            className={classes(
              'min-h-12 shrink-0 rounded-full border px-4 font-medium whitespace-nowrap',
              isChosen ? 'border-brand bg-brand text-on-brand' : 'bg-panel text-text hover:border-control',
            )}
          >
            {name}
          </button>
        )
      })}
    </div>
  )
}
