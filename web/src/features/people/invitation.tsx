import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Member, membersUpdate } from 'kasir-client'
import { call } from '../../app/service.ts'
import { May } from '../../office/may.tsx'
import { ProofCanceled, withProof } from '../../office/proof/proof.ts'
import { serverNow } from '../../offline/clock.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { formatMoment } from '../../ui/time.ts'

/** Shows until when an open invitation is valid, and sends an expired one again. */
export function Invitation({ member, isDirty }: { member: Member; isDirty: boolean }) {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const { id, email } = member
  const renewal = useMutation({
    // The service renews the invitation only if the request has the address (B-member-2).
    mutationFn: () => withProof('password', (proof) => call(membersUpdate, { id, email, ...proof })),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['members'] }),
  })
  const { inviteExpiresAt } = renewal.data?.member ?? member
  if (inviteExpiresAt === null) return null
  const isExpired = inviteExpiresAt <= serverNow()
  const time = formatMoment(inviteExpiresAt)
  return (
    <div className="grid justify-items-start gap-3">
      <p role="status" className="text-good empty:hidden">
        {renewal.isSuccess && t('member.inviteSent', { email })}
      </p>
      <p className={isExpired ? 'text-warn' : 'text-muted'}>
        {t(isExpired ? 'member.inviteExpired' : 'member.inviteUntil', { time })}
      </p>
      {isExpired && (
        <May route="members.update">
          <Button disabled={isDirty || renewal.isPending} onClick={() => renewal.mutate()}>
            {t('member.inviteAgain')}
          </Button>
        </May>
      )}
      <Failure error={renewal.error instanceof ProofCanceled ? null : renewal.error} />
    </div>
  )
}
