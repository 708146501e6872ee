import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type Member,
  membersCreate,
  membersList,
  membersRemove,
  membersResetSecondFactor,
  membersUpdate,
} from 'kasir-client'
import { call } from '../../app/service.ts'
import { useSession } from '../../app/session.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import type { FieldSpec } from '../../office/form/field-spec.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { withProof } from '../../office/proof/proof.ts'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { type OfficeTranslate, useOfficeTexts } from '../../texts/office/texts.ts'

type MemberForm = {
  name: string
  email: string
  role: Member['role']
  password: string | null
  pin: string | null
}

const ROLES = ['CASHIER', 'MANAGER', 'OWNER'] as const

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
      const { name, email, role, password, pin } = values
      const body = { name, email, role, ...(password && { password }) }
      // A second try after the member was added continues with the PIN.
      const created = progress.done['created'] ?? (await call(membersCreate, body, options)).member.id
      progress.complete('created', created)
      return pin ? call(membersUpdate, { id: created, pin }) : created
    },
    readAgain:
      member === null
        ? undefined
        : async () => toForm((await read()).find(({ id }) => id === member.id) ?? member),
    onSaved: finish,
  })
  return (
    <FormPage
      title={member?.name ?? t('member.new')}
      form={form}
      fields={fieldsIn(t, member)}
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
            <DeleteButton
              route="members.remove"
              name={member.name}
              text={t('member.deleteText')}
              remove={() => call(membersRemove, { id: member.id })}
              onDone={finish}
              isDirty={form.isDirty}
            />
          </>
        )
      }
    />
  )
}

const fieldsIn = (t: OfficeTranslate, member: Member | null): readonly FieldSpec<MemberForm>[] => [
  { kind: 'text', name: 'name', label: t('member.name'), isRequired: true, maxLength: 120 },
  { kind: 'email', name: 'email', label: t('signIn.email'), isRequired: true, maxLength: 200 },
  {
    kind: 'choice',
    name: 'role',
    label: t('member.role'),
    isRequired: true,
    hint: t('member.roleHint'),
    options: ROLES.map((value) => ({ value, text: t(`role.${value}`) })),
  },
  {
    kind: 'password',
    name: 'pin',
    label: t('pin'),
    hint: t(member?.hasPin ? 'member.pinSet' : 'pin.hint'),
    maxLength: 8,
    autoComplete: 'off',
  },
  {
    kind: 'password',
    name: 'password',
    label: t('signIn.password'),
    hint: t(member === null ? 'member.passwordNew' : 'member.passwordKeep'),
    autoComplete: 'new-password',
  },
]
