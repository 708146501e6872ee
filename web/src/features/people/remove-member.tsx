import { useQueryClient } from '@tanstack/react-query'
import { type Member, membersRemove } from 'kasir-client'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'

type RemoveMemberProps = { member: Member; onDone(): void; isDirty: boolean }

/** Removes a member and, unless the owner decides otherwise, revokes the API keys that the member created. */
export function RemoveMember({ member: { id, name }, onDone, isDirty }: RemoveMemberProps) {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const [revokeKeys, setRevokeKeys] = useState(true)
  return (
    <DeleteButton
      route="members.remove"
      name={name}
      text={t('member.deleteText')}
      remove={() => call(membersRemove, { id, revokeKeys })}
      onDone={() => {
        void queries.invalidateQueries({ queryKey: ['apiKeys'] })
        onDone()
      }}
      isDirty={isDirty}
    >
      <label className="flex min-h-12 items-center gap-3">
        <input
          type="checkbox"
          className="size-6 shrink-0 accent-brand"
          checked={revokeKeys}
          onChange={({ target }) => setRevokeKeys(target.checked)}
        />
        {t('member.revokeKeys')}
      </label>
    </DeleteButton>
  )
}
