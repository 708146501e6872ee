/** What a notice says has become of a checkout session. */
const OUTCOMES = ['completed', 'expired', 'failed'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** Of a type such as `vendor.checkout_session.completed.v1`, the outcome; null for what means nothing here (B-notice-3). */
export function outcomeIn(type: string): Outcome | null {
  const word = /(?:^|\.)checkout_session\.(\w+)(?:\.v1)?$/.exec(type)?.[1]
  return OUTCOMES.find((one) => one === word) ?? null
}

/**
 * Whose session it is: the workspace that made it, or null for one of the installation itself, which alone may pay for a
 * plan. A workspace can write what it likes into the metadata of its own sessions, so that is not what decides.
 */
export const ownerIn = (data: Readonly<Record<string, unknown>>): string | null => {
  const owner = data['workspaceExternalId']
  return typeof owner === 'string' ? owner : null
}
