import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatPercent } from '../percent.ts'
import type { FieldSpec } from './field-spec.ts'
import type { FormState } from './use-form.ts'

const plain = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)

type ConflictDialogProps<V extends object> = {
  form: FormState<V>
  fields: readonly FieldSpec<V>[]
  /** The names of values that no field shows. */
  partLabels?: { [K in keyof V]?: string } | undefined
  conflict: NonNullable<FormState<V>['conflict']>
}

/** The changes of another person beside the values typed here. */
export function ConflictDialog<V extends object>({
  form,
  fields,
  partLabels,
  conflict,
}: ConflictDialogProps<V>) {
  const t = useOfficeTexts()
  const shown = (values: V, name: string): string => {
    const value = (values as Record<string, unknown>)[name]
    const spec = fields.find((field) => field.name === name)
    if (value === null || value === undefined || value === '') return '–'
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (spec?.kind === 'money') return formatRupiah(value as number)
    if (spec?.kind === 'percent') return `${formatPercent(value as number)}%`
    if (spec?.kind === 'choice')
      return spec.options.find((option) => option.value === value)?.text ?? plain(value)
    if (Array.isArray(value)) return t('conflict.rows', { n: value.length })
    return plain(value)
  }
  const labelOf = (name: keyof V & string) =>
    fields.find((field) => field.name === name)?.label ?? partLabels?.[name] ?? name
  return (
    <Dialog
      title={t('conflict.changed')}
      onClose={() => form.resolve(null)}
      actions={
        <>
          <Button className="flex-1" onClick={() => form.resolve('theirs')}>
            {t('conflict.theirs')}
          </Button>
          <Button className="flex-1" look="primary" onClick={() => form.resolve('mine')}>
            {t('conflict.mine')}
          </Button>
        </>
      }
    >
      <p className="mb-3">{t('conflict.changedText')}</p>
      <table className="w-full text-sm">
        <thead className="text-left text-muted">
          <tr>
            <th scope="col" className="py-1 pr-3 font-medium">
              {t('conflict.field')}
            </th>
            <th scope="col" className="py-1 pr-3 font-medium">
              {t('conflict.here')}
            </th>
            <th scope="col" className="py-1 font-medium">
              {t('conflict.there')}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {conflict.fields.map((name) => (
            <tr key={name}>
              <th scope="row" className="py-2 pr-3 text-left font-medium">
                {labelOf(name)}
              </th>
              <td className="py-2 pr-3 break-words">{shown(form.values, name)}</td>
              <td className="py-2 break-words">{shown(conflict.theirs, name)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
