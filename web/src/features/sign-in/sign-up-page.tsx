import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { EntryFrame } from '../../app/entry-frame.tsx'
import { useEntryTexts } from '../../texts/entry/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { Picks } from '../../ui/picks.tsx'
import { EntryLink } from './entry-link.tsx'
import { type FirstRun, isStillOpen, openWorkspace, prepareShop, type TaxChoice } from './open-business.ts'
import type { BusinessType } from './sample-shop.ts'

const TYPES: readonly BusinessType[] = ['FNB', 'RETAIL', 'PHARMACY', 'GENERAL']
const TAXES: readonly TaxChoice[] = ['NONE', 'PPN', 'PB1']

/** From nothing to a shop that sells: seven inputs, of which three are typed. */
export function SignUpPage() {
  const t = useEntryTexts()
  const common = useTexts()
  const navigate = useNavigate()
  const [form, setForm] = useState<FirstRun>({
    businessName: '',
    email: '',
    password: '',
    businessType: 'FNB',
    tax: 'NONE',
    taxInclusive: true,
    hasSample: true,
  })
  const [openedId, setOpenedId] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const set = (change: Partial<FirstRun>) => setForm((now) => ({ ...now, ...change }))
  const start = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      // A second try continues with the workspace that the first one opened, and never with one that was there before.
      if (!isStillOpen(openedId, form)) setOpenedId(await openWorkspace(form))
      await prepareShop(form)
      await navigate({ to: '/jual' })
    } catch (caught) {
      setError(caught)
      setBusy(false)
    }
  }
  return (
    <EntryFrame title={t('signUp.title')} text={t('signUp.text')}>
      <form className="grid gap-5" onSubmit={(event) => void start(event)}>
        <Field
          label={t('business.name')}
          required
          maxLength={200}
          autoComplete="organization"
          value={form.businessName}
          onChange={({ target }) => set({ businessName: target.value })}
        />
        <Picks
          label={t('business.type')}
          options={TYPES.map((type) => ({ value: type, text: t(`type.${type}`) }))}
          value={form.businessType}
          onValue={(businessType) =>
            set({ businessType, tax: businessType === 'FNB' || form.tax !== 'PB1' ? form.tax : 'NONE' })
          }
        />
        <Picks
          label={t('signUp.tax')}
          options={TAXES.map((tax) => ({
            value: tax,
            text: t(`tax.${tax}`),
          }))}
          value={form.tax}
          onValue={(tax) => set({ tax })}
        />
        {form.tax !== 'NONE' && (
          <label className="flex min-h-12 items-center gap-3">
            <input
              type="checkbox"
              className="size-6 accent-brand"
              checked={form.taxInclusive}
              onChange={({ target }) => set({ taxInclusive: target.checked })}
            />
            {t('tax.inclusive')}
          </label>
        )}
        <Picks
          label={t('signUp.goods')}
          options={[
            { value: 'sample', text: t('signUp.sample') },
            { value: 'empty', text: t('signUp.empty') },
          ]}
          value={form.hasSample ? 'sample' : 'empty'}
          onValue={(goods) => set({ hasSample: goods === 'sample' })}
        />
        <Field
          label={common('signIn.email')}
          type="email"
          required
          autoComplete="username"
          value={form.email}
          onChange={({ target }) => set({ email: target.value })}
        />
        <Field
          label={common('signIn.password')}
          hint={t('signUp.passwordHint')}
          type="password"
          required
          minLength={10}
          autoComplete="new-password"
          value={form.password}
          onChange={({ target }) => set({ password: target.value })}
        />
        <Failure error={error} />
        <Button look="primary" size="large" type="submit" disabled={isBusy}>
          {t(isBusy ? 'signUp.busy' : 'signUp.start')}
        </Button>
      </form>
      <EntryLink to="/masuk">{t('signUp.have')}</EntryLink>
    </EntryFrame>
  )
}
