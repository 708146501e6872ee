import { useQueryClient } from '@tanstack/react-query'
import {
  type CustomerGroup,
  customerGroupsCreate,
  customerGroupsDelete,
  customerGroupsGet,
  customerGroupsUpdate,
} from 'kasir-client'
import { call } from '../../app/service.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { May, useMay } from '../../office/may.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { GroupAssign } from './group-assign.tsx'

const read = async (id: string) => (await call(customerGroupsGet, { id })).customerGroup

export function GroupEditor({ id }: { id: string }) {
  const isNew = id === 'new'
  const record = useRecord(['customerGroup', id], () => read(id), !isNew)
  if (isNew) return <GroupFormPage group={null} onChange={() => {}} />
  if (!record.data) return <RecordState query={record} />
  return <GroupFormPage group={record.data} onChange={() => void record.refetch()} />
}

type FormPageProps = { group: CustomerGroup | null; onChange(): void }

function GroupFormPage({ group, onChange }: FormPageProps) {
  const t = useOfficeTexts()
  const may = useMay()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const finish = () => {
    void queries.invalidateQueries({ queryKey: ['customerGroups'] })
    void setAddress({ id: null })
  }
  const form = useForm<{ name: string }>({
    name: `customerGroup:${group?.id ?? 'new'}`,
    initial: { name: group?.name ?? '' },
    save: ({ name }, _changes, options) =>
      group === null
        ? call(customerGroupsCreate, { name }, options)
        : call(customerGroupsUpdate, { name, id: group.id }, options),
    readAgain: group === null ? undefined : async () => ({ name: (await read(group.id)).name }),
    onSaved: finish,
  })
  return (
    <FormPage
      title={group?.name ?? t('group.new')}
      form={form}
      isReadOnly={!may(group === null ? 'customerGroups.create' : 'customerGroups.update')}
      fields={[
        {
          kind: 'text',
          name: 'name',
          label: t('group.name'),
          hint: t('group.nameHint'),
          isRequired: true,
          maxLength: 80,
          isWide: true,
        },
      ]}
      actions={
        group !== null && (
          <DeleteButton
            route="customerGroups.delete"
            name={group.name}
            text={t('group.deleteText')}
            remove={() => call(customerGroupsDelete, { id: group.id })}
            onDone={finish}
            isDirty={form.isDirty}
          />
        )
      }
    >
      {group !== null && (
        <>
          <p>{t('group.count', { n: group.customerCount })}</p>
          <May route="customerGroups.assign">
            <GroupAssign group={group} onChange={onChange} />
          </May>
        </>
      )}
    </FormPage>
  )
}
