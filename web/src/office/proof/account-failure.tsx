import { Link, useLocation } from '@tanstack/react-router'
import { isKasirError } from 'kasir-client'
import { type AccountKey, useAccountTexts } from '../../texts/account/texts.ts'
import { Failure } from '../../ui/failure.tsx'

const TEXT_BY_PARAM: Readonly<Record<string, AccountKey>> = {
  currentPassword: 'wrongPassword',
  code: 'wrongCode',
  password: 'weakPassword',
}

function keyOf(error: unknown): AccountKey | null {
  if (!isKasirError(error)) return null
  if (error.param && TEXT_BY_PARAM[error.param]) return TEXT_BY_PARAM[error.param] ?? null
  if (error.code === 'RATE_LIMITED') return 'tooOften'
  return error.code === 'FORBIDDEN' ? 'signInAgain' : null
}

type AccountFailureProps = { error: unknown; sentence?: AccountKey | null }

/** An error of an action on the own account, with the way to sign in again where that is needed. */
export function AccountFailure({ error, sentence = keyOf(error) }: AccountFailureProps) {
  const t = useAccountTexts()
  const { href } = useLocation()
  return (
    <Failure error={error} sentence={sentence && t(sentence)}>
      {sentence === 'signInAgain' && (
        <Link
          to="/masuk"
          search={{ to: href }}
          className="mt-1 inline-flex min-h-11 items-center font-semibold underline"
        >
          {t('toSignIn')}
        </Link>
      )}
    </Failure>
  )
}
