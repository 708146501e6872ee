import type { Member } from 'kasir-client'
import type { FieldSpec } from '../../office/form/field-spec.ts'
import type { OfficeTranslate } from '../../texts/office/texts.ts'

export type MemberForm = {
  name: string
  email: string
  role: Member['role']
  password: string | null
  pin: string | null
}

const ROLES = ['CASHIER', 'MANAGER', 'OWNER'] as const

/** Once a new member was added, the form is about that person: only the rest can change. */
export const memberFields = (
  t: OfficeTranslate,
  member: Member | null,
  isAdded: boolean,
): readonly FieldSpec<MemberForm>[] => [
  {
    kind: 'text',
    name: 'name',
    label: t('member.name'),
    isRequired: true,
    maxLength: 120,
    isLocked: isAdded,
  },
  {
    kind: 'email',
    name: 'email',
    label: t('signIn.email'),
    isRequired: true,
    maxLength: 200,
    isLocked: isAdded,
  },
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
    hint: t(member === null && !isAdded ? 'member.passwordNew' : 'member.passwordKeep'),
    autoComplete: 'new-password',
  },
]
