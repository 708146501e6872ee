/**
 * The actions of a cashier for which a workspace can require a manager's approval (B-approval-1). A further action is
 * one line here: the settings, the API document and the body of `POST /approvals` follow. The route then names it in
 * `approvals`, and its verb calls `spendApproval`. A `switch` is on or off; a `limit` is null (off) or the basis
 * points above which the approval is needed.
 */
export const APPROVALS = {
  void: { kind: 'switch', name: 'Voiding a sale or discarding a paid bill' },
  refund: { kind: 'switch', name: 'A refund' },
  discountAboveBps: { kind: 'limit', name: 'A discount this high' },
  priceChange: { kind: 'switch', name: 'Another price than that of the catalogue' },
  correctTender: { kind: 'switch', name: 'Correcting how a sale was paid' },
  openItem: { kind: 'switch', name: 'An item that is not in the catalogue' },
  waiveService: { kind: 'switch', name: 'Waiving the service charge' },
  creditOverLimit: { kind: 'switch', name: 'Credit above the limit of a customer' },
  paidOut: { kind: 'switch', name: 'Taking cash out of the drawer' },
} as const satisfies Record<string, { kind: 'switch' | 'limit'; name: string }>

export type ApprovalAction = keyof typeof APPROVALS
export const APPROVAL_ACTIONS = Object.keys(APPROVALS) as ApprovalAction[]

type ValueOf<K> = K extends 'limit' ? number | null : boolean
/** Which actions need an approval in a workspace. */
export type Approvals = { [A in ApprovalAction]: ValueOf<(typeof APPROVALS)[A]['kind']> }

export const NO_APPROVALS = Object.fromEntries(
  APPROVAL_ACTIONS.map((action) => [action, APPROVALS[action].kind === 'limit' ? null : false]),
) as Approvals

/** All actions with their values; those that a workspace has never set are off. */
export const approvalsFrom = (stored: Partial<Approvals> | null | undefined): Approvals => ({
  ...NO_APPROVALS,
  ...stored,
})

/** Whether the action needs an approval at all. */
export const isApprovalOn = (approvals: Approvals, action: ApprovalAction): boolean =>
  approvals[action] !== false && approvals[action] !== null
