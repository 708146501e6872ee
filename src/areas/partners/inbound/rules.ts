/** The outcomes of a checkout session that a notice reports. */
const OUTCOMES = ['completed', 'expired', 'failed'] as const
export type NoticeOutcome = (typeof OUTCOMES)[number]

/**
 * Returns the outcome in a type such as `vendor.checkout_session.completed.v1`, or null for other types (B-notice-3).
 */
export function outcomeIn(type: string): NoticeOutcome | null {
  const word = /(?:^|\.)checkout_session\.(\w+)(?:\.v1)?$/.exec(type)?.[1]
  return OUTCOMES.find((one) => one === word) ?? null
}

/**
 * Returns the workspace that created a session, or null for a session of the installation. Only a session of the
 * installation can pay for a plan. The metadata does not decide, because a workspace can write any metadata into its
 * own sessions.
 */
export const ownerIn = (data: Readonly<Record<string, unknown>>): string | null => {
  const owner = data['workspaceExternalId']
  return typeof owner === 'string' ? owner : null
}
