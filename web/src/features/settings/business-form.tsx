import type { Settings } from 'kasir-client'
import { useSession } from '../../app/session.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useMay } from '../../office/may.tsx'
import { NameList } from '../../office/name-list.tsx'
import { PhotoField } from '../../office/photo-field.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { businessFields } from './business-fields.ts'
import { type BusinessValues, toBusinessValues } from './business-values.ts'
import { readSettings, useSettings } from './use-settings.ts'

/** The settings of the business for receipts, stock and points. */
export function BusinessForm() {
  const { record, save, finish, version } = useSettings()
  if (!record.data) return <RecordState query={record} />
  return <BusinessFormPage key={version} settings={record.data} save={save} finish={finish} />
}

type FormPageProps = { settings: Settings } & Pick<ReturnType<typeof useSettings>, 'save' | 'finish'>

function BusinessFormPage({ settings, save, finish }: FormPageProps) {
  const t = useOfficeTexts()
  const may = useMay()
  const isOwner = useSession((session) => session.member?.role === 'OWNER')
  const form = useForm<BusinessValues>({
    name: 'settings:business',
    initial: toBusinessValues(settings),
    save: (_values, changes, options) => save(changes, options),
    readAgain: async () => toBusinessValues(await readSettings()),
    onSaved: finish,
  })
  return (
    <FormPage
      title={t('settings.business')}
      form={form}
      hasList={false}
      isReadOnly={!may('settings.update')}
      fields={businessFields(t, isOwner)}
    >
      <NameList
        label={t('settings.expenses')}
        hint={t('settings.expensesHint')}
        names={form.values.expenseCategories}
        error={form.errorAt('expenseCategories')}
        onNames={(expenseCategories) => form.set({ expenseCategories })}
      />
      <PhotoField
        label={t('settings.logo')}
        url={form.values.logoUrl}
        onUrl={(logoUrl) => form.set({ logoUrl })}
      />
    </FormPage>
  )
}
