import { nameForMail } from '../../../core/mail-names.ts'
import type { Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { type NoticeKind, spendNotice } from '../../../platform/mail/budget.ts'
import { sendMail } from '../../../platform/mail/mail.ts'
import type { Scope } from '../../../platform/scope.ts'
import { getSettings } from '../settings/index.ts'
import * as store from './store.ts'

/** The tools for a mail. They include no database, because a route that calls another server has no connection. */
type MailTools = Omit<Deps, 'db' | 'pool'>

/**
 * The recipient of a security mail. A person is notified of every change to their credentials that another person may
 * have made (B-mail-2).
 */
type Person = { email: string; name: string; emailVerifiedAt: string | null }

/** Notifies the member who made an API key, or the owners when another key made it. */
export async function notifyKeyCreated(
  deps: Deps,
  tx: Tx,
  scope: Scope,
  key: { name: string; last4: string; readOnly: boolean },
) {
  const { actor } = scope
  const concerned =
    actor.kind === 'member' ? await store.findPerson(tx, scope, actor.id) : await store.listOwners(tx, scope)
  const rights = key.readOnly ? 'It can only read.' : 'It can do everything that an owner can do.'
  for (const person of concerned) {
    await sendNotice(deps, tx, scope, {
      person,
      subject: 'A new API key',
      paragraphs: [
        `The API key "${nameForMail(key.name, 'without a name')}", which ends in ${key.last4}, was created ${doneBy(scope)}. ${rights}`,
        'If you do not recognize it, revoke it in the list of API keys and change your password.',
      ],
    })
  }
}

/**
 * With `exceptHere`, the browser in which the password was changed stays signed in. `byLink`: the member chose it with
 * the link in a mail.
 */
export const notifyPasswordChanged = (
  deps: Deps,
  tx: Tx,
  scope: Scope,
  { person, exceptHere = false, byLink = false }: { person: Person; exceptHere?: boolean; byLink?: boolean },
) =>
  sendNotice(deps, tx, scope, {
    person,
    kind: byLink ? 'ownAct' : 'change',
    subject: 'Your password was changed',
    paragraphs: [
      `The password you sign in with was changed ${doneBy(scope)}. Every ${exceptHere ? 'other ' : ''}browser that was signed in has been signed out.`,
      'If this was not you, ask an owner of the workspace for a new password immediately.',
    ],
  })

/** Notifies the member that their PIN was set, changed or removed. */
export const notifyPinChanged = (
  deps: Deps,
  tx: Tx,
  scope: Scope,
  { person, isRemoved }: { person: Person; isRemoved: boolean },
) =>
  sendNotice(deps, tx, scope, {
    person,
    kind: 'routine',
    subject: isRemoved ? 'Your PIN was removed' : 'You have a new PIN',
    paragraphs: [
      `The PIN you sign in with at a till was ${isRemoved ? 'removed' : 'set'} ${doneBy(scope)}. Every till where you were signed in has been signed out.`,
      'If you did not expect this, ask an owner of the workspace about it immediately.',
    ],
  })

/** Notifies the owners, and the member who did it, that a browser was enrolled as a till. */
export async function notifyTillEnrolled(deps: Deps, tx: Tx, scope: Scope, till: string) {
  const self = await store.findPerson(tx, scope, scope.actor.id)
  const owners = await store.listOwners(tx, scope)
  const addresses = new Set(owners.map(({ email }) => email))
  const concerned = [...owners, ...self.filter(({ email }) => !addresses.has(email))]
  for (const person of concerned.toSorted((a, b) => (a.email < b.email ? -1 : 1))) {
    await sendNotice(deps, tx, scope, {
      person,
      kind: 'routine',
      subject: 'A new till',
      paragraphs: [
        `A browser was enrolled as the till "${nameForMail(till, 'without a name')}" ${doneBy(scope)}. Members sign in there with their PIN.`,
        'If you do not recognise it, revoke it in the list of tills and change the PINs.',
      ],
    })
  }
}

const FACTOR_NEWS = {
  ON: {
    subject: 'A second factor was switched on',
    says: 'From now on a sign-in also needs a code of your authenticator app. It was switched on',
  },
  OFF: {
    subject: 'Your second factor was switched off',
    says: 'A sign-in no longer needs a code of your authenticator app. It was switched off',
  },
  RECOVERY_CODES: {
    subject: 'You have new recovery codes',
    says: 'You have ten new recovery codes; earlier codes stopped working. They were created',
  },
  CODE_USED: {
    subject: 'A recovery code was used',
    says: 'One of your recovery codes was used to sign in and no longer works. It was used',
  },
  RESET: {
    subject: 'Your second factor was reset',
    says: 'A sign-in needs no code until you set up a second factor again. Every browser was signed out. It was reset',
  },
} as const
export type FactorChange = keyof typeof FACTOR_NEWS

/** Notifies the member that their second factor has changed, or that a recovery code was used. */
export const notifySecondFactorChanged = (
  deps: Deps,
  tx: Tx,
  scope: Scope,
  { person, news }: { person: Person; news: FactorChange },
) =>
  sendNotice(deps, tx, scope, {
    person,
    kind: news === 'CODE_USED' ? 'ownAct' : 'change',
    subject: FACTOR_NEWS[news].subject,
    paragraphs: [
      `${FACTOR_NEWS[news].says} ${doneBy(scope)}.`,
      `If ${news === 'RESET' ? 'you did not ask for this' : 'this was not you'}, change your password immediately and inform an owner of the workspace.`,
    ],
  })

/**
 * Notifies both addresses. The mail to the old address does not name the new one, because another person may read it.
 */
export async function notifyAddressChanged(
  deps: Deps,
  tx: Tx,
  scope: Scope,
  { old, current }: { old: Person; current: Person },
) {
  const letters = [
    {
      to: old,
      text: [
        `The e-mail address you sign in with was changed to another one ${doneBy(scope)}.`,
        'If this was not you, ask an owner of the workspace to change it back immediately.',
      ],
    },
    { to: current, text: [`You now sign in with this address. It was set ${doneBy(scope)}.`] },
  ]
  for (const { to, text } of letters.toSorted((a, b) => (a.to.email < b.to.email ? -1 : 1))) {
    await sendNotice(deps, tx, scope, {
      person: to,
      subject: 'Your e-mail address was changed',
      paragraphs: text,
    })
  }
}

/**
 * Notifies the owners that an assistant set a webhook address. Only this mail shows an address that an assistant
 * chose.
 */
export async function notifyEndpointChanged(deps: MailTools, tx: Tx, scope: Scope, url: string) {
  for (const owner of await store.listOwners(tx, scope)) {
    await sendNotice(deps, tx, scope, {
      person: owner,
      subject: 'An assistant chose a webhook address',
      paragraphs: [
        `Events of your workspace, with data of customers, are to be sent to a new address. It was set ${doneBy(scope)}:`,
        url,
        'Nothing is sent there until a member activates the endpoint. Do that only if you know the address. If you do not, delete the endpoint and ask what the assistant was given to read.',
      ],
    })
  }
}

/** Notifies the owners that the service has switched off a webhook endpoint: its receiver misses events from now on. */
export async function notifyEndpointOff(
  deps: MailTools,
  tx: Tx,
  scope: Scope,
  { url, disabledReason }: { url: string; disabledReason: string | null },
) {
  const reason =
    disabledReason === 'GONE'
      ? 'The receiver answered that it wants no more of them (410).'
      : 'The receiver has accepted none of them for a long time.'
  for (const owner of await store.listOwners(tx, scope)) {
    await sendNotice(deps, tx, scope, {
      person: owner,
      kind: 'routine',
      subject: 'A webhook endpoint was switched off',
      paragraphs: [
        `Events of your workspace are no longer sent to this address. ${reason}`,
        url,
        'Correct the receiver and activate the endpoint again. Events from the time in between are not sent: read them by GET /events.',
      ],
    })
  }
}

const doneBy = ({ actor, now }: Scope) => {
  const name = nameForMail(actor.name, 'without a name')
  const who =
    actor.kind === 'apiKey'
      ? `with the API key "${name}"`
      : `by ${actor.delegation === undefined ? '' : 'an assistant of '}${name}`
  return `${who} at ${now.slice(0, 16).replace('T', ' ')} UTC`
}

const LAST =
  'This is the last notice to this address today, because there were so many. Check the members and API keys of the workspace.'

type Notice = {
  person: Person
  subject: string
  paragraphs: string[]
  /** Routine: a chain gives a hundred cashiers PINs in a day. */
  kind?: NoticeKind
}

async function sendNotice(
  deps: MailTools,
  tx: Tx,
  scope: Scope,
  { person, subject, paragraphs, kind = 'change' }: Notice,
) {
  const { email, name } = person
  const { allowed, isLast } = await spendNotice(tx, scope, person, kind)
  if (!allowed) return
  const business = nameForMail((await getSettings(tx, scope)).businessName, 'A business')
  const text = [`Hello ${nameForMail(name, 'there')},`, ...paragraphs, ...(isLast ? [LAST] : [])]
  await sendMail(deps, tx, scope, { to: email, subject: `${business}: ${subject}`, text: text.join('\n\n') })
}
