import { useQuery } from '@tanstack/react-query'
import { authGetOptions } from 'kasir-client'
import { call } from '../../app/service.ts'
import { useEntryTexts } from '../../texts/entry/texts.ts'

/** Leads to the page of the sign-in provider, where the service has one. */
export function ProviderButton({ to }: { to: string }) {
  const t = useEntryTexts()
  // Without an answer the form above still works.
  const options = useQuery({ queryKey: ['signInOptions'], queryFn: () => call(authGetOptions) })
  if (options.data?.provider !== true) return null
  const returnTo = `/masuk?${new URLSearchParams({ via: 'provider', to }).toString()}`
  return (
    <>
      <p className="my-4 text-center text-sm text-muted">{t('or')}</p>
      <a
        href={`/api/v1/auth/oidc/start?${new URLSearchParams({ returnTo }).toString()}`}
        className="flex min-h-14 items-center justify-center rounded-xl border border-control/60 bg-raised px-4 text-center font-medium hover:border-control"
      >
        {t('provider')}
      </a>
    </>
  )
}
