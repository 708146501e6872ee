import type { approvalId } from './id.ts'

/** Asking a manager for an approval, in English. */
export const approvalEn: Readonly<Record<keyof typeof approvalId, string>> = {
  'approval.title': 'Ask for approval',
  'approval.text': '{action} needs the approval of a manager.',
  'approval.approve': 'Approve',
  'approval.noTill':
    'Approval by PIN works on an enrolled till only. Ask a manager to sign in and enrol this device.',
  'approval.noManager': 'No manager has a PIN yet. Ask a manager to set one in the member menu.',
  'approval.void': 'A void or a discard of a paid bill',
  'approval.refund': 'A refund',
  'approval.discountAboveBps': 'A discount this high',
  'approval.priceChange': 'Another price',
  'approval.paidOut': 'Taking cash out',
  'approval.openItem': 'An open item',
  'approval.correctTender': 'Correcting a payment',
  'approval.waiveService': 'Waiving the service charge',
  'approval.creditOverLimit': 'Credit above the limit',
}
