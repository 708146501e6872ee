import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type Member,
  membersCreate,
  membersList,
  membersResetSecondFactor,
  membersUpdate,
} from 'kasir-client'
import { call } from '../../app/service.ts'
import { useSession } from '../../app/session.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { withProof } from '../../office/proof/proof.ts'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Invitation } from './invitation.tsx'
import { type MemberForm, memberFields } from './member-fields.ts'
import { RemoveMember } from './remove-member.tsx'

const read = async () => (await call(membersList)).members
const toForm = ({ name, email, role }: Member): MemberForm => ({
  name,
  email,
  role,
  password: null,
  pin: null,
})

export function MemberEditor({ id }: { id: string }) {
  const members = useQuery({ queryKey: ['members'], queryFn: read })
  if (id === 'new') return <MemberFormPage member={null} />
  const member = members.data?.find((each) => each.id === id)
  return member ? <MemberFormPage member={member} /> : <RecordState query={members} />
}

/** Empty secrets change nothing. */
const typed = ({ password, pin, ...fields }: Partial<MemberForm>) => ({
  ...fields,
  ...(password && { password }),
  ...(pin && { pin }),
})

function MemberFormPage({ member }: { member: Member | null }) {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const ownId = useSession((session) => session.member?.id)
  const [, setAddress] = useOfficeSearch()
  const finish = () => {
    void queries.invalidateQueries({ queryKey: ['members'] })
    void setAddress({ id: null })
  }
  const form = useForm<MemberForm>({
    name: `member:${member?.id ?? 'new'}`,
    initial:
      member === null ? { name: '', email: '', role: 'CASHIER', password: null, pin: null } : toForm(member),
    save: async (values, changes, options, progress) => {
      if (member !== null)
        return withProof('password', (proof) =>
          call(membersUpdate, { id: member.id, ...typed(changes), ...proof }, options),
        )
      const created = progress.done['created']
      // A retry after the member was added saves what was corrected meanwhile. The key is that of the creation.
      if (created !== undefined)
        return withProof('password', (proof) =>
          call(membersUpdate, { id: created, ...typed(values), ...proof }),
        )
      const { name, email, role, password, pin } = values
      const body = { name, email, role, ...(password && { password }) }
      const { id } = (await call(membersCreate, body, options)).member
      progress.complete('created', id)
      return pin ? call(membersUpdate, { id, pin }) : id
    },
    readAgain:
      member === null
        ? undefined
        : async () => toForm((await read()).find(({ id }) => id === member.id) ?? member),
    onSaved: finish,
  })
  const isAdded = form.progress.done['created'] !== undefined
  return (
    <FormPage
      title={member?.name ?? t('member.new')}
      form={form}
      before={
        <>
          {isAdded && <AddedNotice name={form.values.name} />}
          {member?.status === 'INVITED' && <Invitation member={member} isDirty={form.isDirty} />}
        </>
      }
      fields={memberFields(t, member, isAdded)}
      actions={
        member !== null &&
        member.id !== ownId && (
          <>
            {member.secondFactor && (
              <DeleteButton
                route="members.resetSecondFactor"
                name={member.name}
                label={t('member.resetFactor')}
                text={t('member.resetFactorText')}
                remove={() => call(membersResetSecondFactor, { id: member.id })}
                onDone={finish}
                isDirty={form.isDirty}
              />
            )}
            <RemoveMember member={member} onDone={finish} isDirty={form.isDirty} />
          </>
        )
      }
    />
  )
}

function AddedNotice({ name }: { name: string }) {
  const t = useOfficeTexts()
  return (
    <p role="status" className="rounded-xl bg-warn-soft p-3 text-warn">
      {t('member.added', { name })}
    </p>
  )
}
