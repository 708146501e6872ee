import { Link } from '@tanstack/react-router'
import type { PinHolder } from 'kasir-client'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useState } from 'react'
import { EntryFrame } from '../../app/entry-frame.tsx'
import { useIsOnline } from '../../app/line.ts'
import { LineState } from '../../app/line-state.tsx'
import { refreshTill, useTill } from '../../app/till.ts'
import type { PinRefusal } from '../../offline/pins.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PinPad } from '../../ui/pin-pad.tsx'
import { MemberChoice } from './member-choice.tsx'
import { signInWithPin } from './pin-sign-in.ts'

/** Asks who sells now: a member and their PIN. What was in the cart is still there afterwards. */
export function LockScreen() {
  const t = useTexts()
  const till = useTill((state) => state.till)
  const members = useTill((state) => state.members)
  const isOnline = useIsOnline()
  const [chosen, setChosen] = useState<PinHolder | null>(null)
  const [refusal, setRefusal] = useState<PinRefusal | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    // A sign-out without a till passes here on the way to the sign-in page.
    if (useTill.getState().till === null) return
    // The list of the last time serves until this one is here.
    void refreshTill().catch(() => {})
  }, [])
  const choose = (member: PinHolder | null) => {
    setChosen(member)
    setRefusal(null)
    setError(null)
  }
  const open = async (member: PinHolder, pin: string) => {
    setBusy(true)
    setRefusal(null)
    setError(null)
    try {
      setRefusal(await signInWithPin(member, pin))
    } catch (caught) {
      setError(caught)
    } finally {
      setBusy(false)
    }
  }
  return (
    <EntryFrame title={chosen?.name ?? t('lock.title')} text={t(chosen ? 'lock.pin' : 'lock.text')}>
      <div className="grid gap-4">
        <div className="flex items-center justify-between gap-3">
          <span className="min-w-0 truncate text-muted">{till?.name}</span>
          {/* Only a signed-in member may open the waiting sales: they name customers and their phones. */}
          <fieldset disabled className="pointer-events-none shrink-0">
            <LineState />
          </fieldset>
        </div>
        {refusal !== null && <Notice text={t(`pin.${refusal}`)} />}
        <Failure error={error} />
        {chosen === null ? (
          <>
            <MemberChoice members={members} onChoose={choose} />
            {members.length === 0 && <p className="text-muted">{t('lock.noMembers')}</p>}
            {isOnline && (
              <p className="mt-4 text-center">
                <Link
                  to="/masuk"
                  className="inline-flex min-h-12 items-center font-semibold text-brand underline underline-offset-4"
                >
                  {t('lock.password')}
                </Link>
              </p>
            )}
          </>
        ) : (
          <>
            <PinPad
              key={chosen.id}
              confirm={t('signIn')}
              isBusy={isBusy}
              onPin={(pin) => void open(chosen, pin)}
            />
            <Button look="quiet" onClick={() => choose(null)}>
              <ArrowLeft aria-hidden size={20} />
              {t('lock.others')}
            </Button>
          </>
        )}
      </div>
    </EntryFrame>
  )
}
