import type { ApprovalSettings } from 'kasir-client'
import type { FieldSpec } from '../../office/form/field-spec.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useMay } from '../../office/may.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { readSettings, useSettings } from './use-settings.ts'

/** Which actions of a cashier a manager has to approve with a PIN. */
export function ApprovalSettingsForm() {
  const { record, save, finish, version } = useSettings()
  if (!record.data) return <RecordState query={record} />
  return <ApprovalFormPage key={version} approvals={record.data.approvals} save={save} finish={finish} />
}

type FormPageProps = { approvals: ApprovalSettings } & Pick<ReturnType<typeof useSettings>, 'save' | 'finish'>

const SWITCHES = [
  'void',
  'refund',
  'priceChange',
  'openItem',
  'paidOut',
  'correctTender',
  'waiveService',
  'creditOverLimit',
] as const satisfies readonly (keyof ApprovalSettings)[]

function ApprovalFormPage({ approvals, save, finish }: FormPageProps) {
  const t = useOfficeTexts()
  const may = useMay()
  const form = useForm<ApprovalSettings>({
    name: 'settings:approvals',
    initial: approvals,
    save: (_values, changes, options) => save({ approvals: changes }, options),
    readAgain: async () => (await readSettings()).approvals,
    onSaved: finish,
  })
  const switches = SWITCHES.map(
    (name): FieldSpec<ApprovalSettings> => ({ kind: 'switch', name, label: t(`approval.${name}`) }),
  )
  return (
    <FormPage
      title={t('settings.approvals')}
      form={form}
      hasList={false}
      isReadOnly={!may('settings.update')}
      fields={[
        ...switches,
        {
          kind: 'percent',
          name: 'discountAboveBps',
          label: t('settings.discountAbove'),
          hint: t('settings.discountAboveHint'),
        },
      ]}
    />
  )
}
