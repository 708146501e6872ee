import type { PinHolder } from 'kasir-client'
import { UserRound } from 'lucide-react'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'

/** The members with a PIN, as large buttons. */
export function MemberChoice({
  members,
  onChoose,
}: {
  members: readonly PinHolder[]
  onChoose(member: PinHolder): void
}) {
  const t = useTexts()
  return (
    <ul aria-label={t('members')} className="grid gap-2 sm:grid-cols-2">
      {members.map((member) => (
        <li key={member.id}>
          <Button
            content="start"
            className="min-h-16 w-full min-w-0 text-left"
            onClick={() => onChoose(member)}
          >
            <UserRound aria-hidden size={22} className="shrink-0" />
            <span className="grid min-w-0">
              <span className="truncate font-semibold">{member.name}</span>
              <span className="text-sm text-muted">{t(`role.${member.role}`)}</span>
            </span>
          </Button>
        </li>
      ))}
    </ul>
  )
}
