import { nameForMail } from '../../../core/mail-names.ts'
import type { Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { sendMail } from '../../../platform/mail.ts'
import { spendNotice } from '../../../platform/mail-budget.ts'
import type { Scope } from '../../../platform/scope.ts'
import { getSettings } from '../settings/index.ts'
import * as store from './store.ts'

/** Mails about what opens a workspace: nobody else's doing should go unseen by whom it concerns (B-mail-2). */
type Person = { email: string; name: string }

/** Notifies the member who made an API key, or the owners when another key made it. */
export async function tellOfKey(
  deps: Deps,
  tx: Tx,
  scope: Scope,
  key: { name: string; last4: string; readOnly: boolean },
) {
  const { actor } = scope
  const concerned =
    actor.kind === 'member' ? await store.findPerson(tx, scope, actor.id) : await store.listOwners(tx, scope)
  const rights = key.readOnly ? 'It may only read.' : 'It may do whatever an owner may.'
  for (const person of concerned) {
    await tell(deps, tx, scope, person, 'A new API key', [
      `The API key "${nameForMail(key.name, 'without a name')}", which ends in ${key.last4}, was created ${doneBy(scope)}. ${rights}`,
      'If you do not recognise it, revoke it in the list of API keys and change your password.',
    ])
  }
}

/** `exceptHere`: the browser it was changed in stays signed in. */
export const tellOfPassword = (
  deps: Deps,
  tx: Tx,
  scope: Scope,
  person: Person,
  { exceptHere = false } = {},
) =>
  tell(deps, tx, scope, person, 'Your password was changed', [
    `The password you sign in with was changed ${doneBy(scope)}. Every ${exceptHere ? 'other ' : ''}browser that was signed in has been signed out.`,
    'If this was not you, ask an owner of the workspace for a new password at once.',
  ])

const FACTOR_NEWS = {
  ON: {
    subject: 'A second factor was switched on',
    says: 'From now on signing in takes a code of your authenticator app as well. It was switched on',
  },
  OFF: {
    subject: 'Your second factor was switched off',
    says: 'Signing in takes no code of your authenticator app any more. It was switched off',
  },
  RECOVERY_CODES: {
    subject: 'You have new recovery codes',
    says: 'Ten new recovery codes were made and those before them work no more. It was done',
  },
  CODE_USED: {
    subject: 'A recovery code was used',
    says: 'Somebody signed in with your password and one of your recovery codes, which is spent now. It was done',
  },
  RESET: {
    subject: 'Your second factor was reset',
    says: 'Signing in takes no code any more until you set up a second factor again, and every browser that was signed in has been signed out. It was reset',
  },
} as const
export type FactorChange = keyof typeof FACTOR_NEWS

/** Notifies the member that what they sign in with, beside the password, has changed or was used up in part. */
export const tellOfSecondFactor = (deps: Deps, tx: Tx, scope: Scope, person: Person, news: FactorChange) =>
  tell(deps, tx, scope, person, FACTOR_NEWS[news].subject, [
    `${FACTOR_NEWS[news].says} ${doneBy(scope)}.`,
    `If ${news === 'RESET' ? 'you did not ask for this' : 'this was not you'}, change your password at once and tell an owner of the workspace.`,
  ])

/** Notifies both addresses; the old one does not learn the new, since nobody knows who reads it now. */
export async function tellOfAddress(deps: Deps, tx: Tx, scope: Scope, old: Person, current: Person) {
  const letters = [
    {
      to: old,
      text: [
        `The e-mail address you sign in with was changed to another one ${doneBy(scope)}.`,
        'If this was not you, ask an owner of the workspace to change it back at once.',
      ],
    },
    { to: current, text: [`You now sign in with this address. It was set ${doneBy(scope)}.`] },
  ]
  for (const { to, text } of letters.toSorted((a, b) => (a.to.email < b.to.email ? -1 : 1))) {
    await tell(deps, tx, scope, to, 'Your e-mail address was changed', text)
  }
}

const doneBy = ({ actor, now }: Scope) => {
  const name = nameForMail(actor.name, 'without a name')
  const who = actor.kind === 'apiKey' ? `with the API key "${name}"` : `by ${name}`
  return `${who} at ${now.slice(0, 16).replace('T', ' ')} UTC`
}

const LAST =
  'There have been so many notices today that this is the last one to this address. Check the members and API keys of the workspace.'

async function tell(
  deps: Deps,
  tx: Tx,
  scope: Scope,
  { email, name }: Person,
  subject: string,
  paragraphs: string[],
) {
  const { allowed, isLast } = await spendNotice(tx, scope, email)
  if (!allowed) return
  const business = nameForMail((await getSettings(tx, scope)).businessName, 'A business')
  const text = [`Hello ${nameForMail(name, 'there')},`, ...paragraphs, ...(isLast ? [LAST] : [])]
  await sendMail(deps, tx, scope, { to: email, subject: `${business}: ${subject}`, text: text.join('\n\n') })
}
