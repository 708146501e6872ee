import { useQueryClient } from '@tanstack/react-query'
import {
  type ModifierGroup,
  modifierGroupsCreate,
  modifierGroupsDelete,
  modifierGroupsGet,
  modifierGroupsUpdate,
  modifiersCreate,
  modifiersDelete,
  modifiersUpdate,
} from 'kasir-client'
import { call } from '../../app/service.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { useMay } from '../../office/may.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useShop } from '../../offline/shop.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { type ModifierForm, ModifierRows } from './modifier-rows.tsx'

type GroupForm = Pick<ModifierGroup, 'name' | 'minSelect' | 'maxSelect'> & { modifiers: ModifierForm[] }

const toForm = ({ name, minSelect, maxSelect, modifiers }: ModifierGroup): GroupForm => ({
  name,
  minSelect,
  maxSelect,
  modifiers: modifiers.map(({ id, name: each, price, isActive }) => ({ id, name: each, price, isActive })),
})

const read = async (id: string) => (await call(modifierGroupsGet, { id })).group

export function ModifierEditor({ id }: { id: string }) {
  const isNew = id === 'new'
  const record = useRecord(['modifierGroup', id], () => read(id), !isNew)
  if (isNew) return <GroupFormPage group={null} />
  return record.data ? <GroupFormPage group={record.data} /> : <RecordState query={record} />
}

/** Saves the typed modifiers of a group with one request after the other; a retry continues. */
async function saveModifiers(groupId: string, wanted: readonly ModifierForm[]) {
  const { modifiers } = await read(groupId)
  for (const { id, name } of modifiers)
    if (!wanted.some((each) => each.id === id || (each.id === undefined && each.name === name)))
      await call(modifiersDelete, { id: groupId, modId: id })
  for (const [sortOrder, { id, ...typed }] of wanted.entries()) {
    const now = modifiers.find((each) => (id === undefined ? each.name === typed.name : each.id === id))
    const body = { ...typed, sortOrder }
    if (now === undefined) await call(modifiersCreate, { id: groupId, ...body })
    else if (now.name !== typed.name || now.price !== typed.price || now.isActive !== typed.isActive)
      await call(modifiersUpdate, { id: groupId, modId: now.id, ...body })
  }
}

function GroupFormPage({ group }: { group: ModifierGroup | null }) {
  const t = useOfficeTexts()
  const may = useMay()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const finish = () => {
    void queries.invalidateQueries({ queryKey: ['modifierGroups'] })
    void useShop.getState().refresh()
    void setAddress({ id: null })
  }
  const form = useForm<GroupForm>({
    name: `modifierGroup:${group?.id ?? 'new'}`,
    initial: group === null ? { name: '', minSelect: 0, maxSelect: null, modifiers: [] } : toForm(group),
    save: async ({ modifiers, ...fields }, _changes, options, progress) => {
      let id = group?.id ?? progress.done['created']
      if (id === undefined) {
        id = (await call(modifierGroupsCreate, fields, options)).group.id
        progress.complete('created', id)
      } else {
        // The key is that of the creation; an update needs none, because it sets the same values again.
        await call(modifierGroupsUpdate, { id, ...fields })
      }
      await saveModifiers(id, modifiers)
    },
    readAgain: group === null ? undefined : async () => toForm(await read(group.id)),
    onSaved: finish,
  })
  const isReadOnly = !may('modifierGroups.update')
  return (
    <FormPage
      title={group?.name ?? t('modifier.newGroup')}
      form={form}
      partLabels={{ modifiers: t('modifiers') }}
      isReadOnly={isReadOnly}
      fields={[
        {
          kind: 'text',
          name: 'name',
          label: t('modifier.group'),
          isRequired: true,
          maxLength: 80,
          isWide: true,
        },
        { kind: 'whole', name: 'minSelect', label: t('modifier.min'), min: 0, max: 50, isRequired: true },
        {
          kind: 'whole',
          name: 'maxSelect',
          label: t('modifier.max'),
          hint: t('modifier.maxHint'),
          min: 1,
          max: 50,
        },
      ]}
      actions={
        group !== null && (
          <DeleteButton
            route="modifierGroups.delete"
            name={group.name}
            text={t('modifier.deleteText')}
            remove={() => call(modifierGroupsDelete, { id: group.id })}
            onDone={finish}
            isDirty={form.isDirty}
          />
        )
      }
    >
      <fieldset disabled={isReadOnly || form.isBusy}>
        <legend className="mb-2 text-lg font-semibold">{t('modifiers')}</legend>
        <ModifierRows
          modifiers={form.values.modifiers}
          onModifiers={(modifiers) => form.set({ modifiers })}
        />
      </fieldset>
    </FormPage>
  )
}
