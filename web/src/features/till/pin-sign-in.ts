import { authLoginWithPin, isKasirError, type PinHolder } from 'kasir-client'
import { call } from '../../app/service.ts'
import { useSession } from '../../app/session.ts'
import { useTill } from '../../app/till.ts'
import { checkPinHere, keepPin, type PinRefusal } from '../../offline/pins.ts'
import { resumeAbsent } from '../../offline/sender.ts'

/** Opens the register for a member. Null if it is open; a refusal of this device, or the error of the service. */
export async function signInWithPin(member: PinHolder, pin: string): Promise<PinRefusal | null> {
  const { begin, beginHere } = useSession.getState()
  try {
    const answer = await call(authLoginWithPin, { memberId: member.id, pin }, { isSingle: true })
    begin(answer.user, answer.account)
    useTill.getState().unlock()
    void keepPin(member.id, pin, answer.account).catch(() => {})
    void resumeAbsent()
    return null
  } catch (error) {
    if (isKasirError(error)) throw error
  }
  const account = await checkPinHere(member, pin)
  if (typeof account === 'string') return account
  beginHere({ id: member.id, name: member.name, role: member.role, email: null }, account)
  useTill.getState().unlock()
  return null
}
