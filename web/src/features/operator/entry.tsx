import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { isKasirError } from 'kasir-client'
import { EntryFrame } from '../../app/entry-frame.tsx'
import { queries } from '../../app/queries.ts'
import { useOperatorTexts } from '../../texts/operator/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { signIn } from './operator-service.ts'

/** Requires a press, so that a link preview does not use the link up. */
export function OperatorEntry({ token }: { token: string }) {
  const t = useOperatorTexts()
  const navigate = useNavigate()
  const entering = useMutation({
    mutationFn: () => signIn(token),
    onSuccess: async () => {
      await queries.resetQueries({ queryKey: ['operator'] })
      // The token leaves the address bar and the history.
      await navigate({ to: '/operator', hash: '', replace: true })
    },
  })
  const { error } = entering
  const isUsed = isKasirError(error) && error.param === 'token'
  return (
    <EntryFrame title={t('title')} text={t('enter.text')}>
      <div className="grid gap-4">
        <Failure error={error} sentence={isUsed ? t('enter.used') : null} />
        {isUsed ? (
          <LinkCommand />
        ) : (
          <Button look="primary" size="large" disabled={entering.isPending} onClick={() => entering.mutate()}>
            {t('enter.open')}
          </Button>
        )}
      </div>
    </EntryFrame>
  )
}

/** Shown without a session. */
export function HowToEnter() {
  const t = useOperatorTexts()
  return (
    <EntryFrame title={t('title')} text={t('enter.how')}>
      <LinkCommand />
      <Link
        to="/masuk"
        search={{}}
        className="mt-4 inline-flex min-h-12 items-center font-semibold text-brand underline underline-offset-4"
      >
        {t('enter.shop')}
      </Link>
    </EntryFrame>
  )
}

function LinkCommand() {
  const t = useOperatorTexts()
  return (
    <div className="grid gap-1.5">
      <h2 className="text-sm font-medium">{t('enter.command')}</h2>
      <code className="rounded-xl border bg-panel p-3 text-sm break-all select-all">kasir operator-link</code>
    </div>
  )
}
