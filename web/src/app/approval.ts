import { isKasirError } from 'kasir-client'
import { create } from 'zustand'
import { onHandover } from './till.ts'

export type ApprovalRequest = {
  action: string
  subjectId: string | null
  /** Answers with the token, or null when the manager declined. */
  answer(token: string | null): void
}

/** The approval that a cashier's request waits for; the dialog of app/shell.tsx asks for it. */
export const useApproval = create<{ request: ApprovalRequest | null }>(() => ({ request: null }))

const handovers = onHandover(() => useApproval.getState().request?.answer(null))

function ask(action: string, subjectId: string | null): Promise<string | null> {
  return new Promise((resolve) => {
    const answer = (token: string | null) => {
      // The request was canceled while the service checked the PIN, so this token comes too late.
      if (useApproval.getState().request?.answer !== answer) return
      useApproval.setState({ request: null })
      resolve(token)
    }
    useApproval.setState({ request: { action, subjectId, answer } })
  })
}

/** An upper bound for the actions of one request. */
const MOST_APPROVALS = 4

/**
 * Sends a request, and sends it again with the approval of a manager when the service asks for one (B-approval-2).
 * The cart, the dialog and the typed text stay unchanged meanwhile. Throws APPROVAL_REQUIRED if the till is locked or the
 * member changes before the manager approves.
 */
export async function withApproval<D>(
  subjectId: string | null,
  send: (approval: string | undefined) => Promise<D>,
): Promise<D> {
  const tokens: string[] = []
  const began = handovers()
  for (;;) {
    try {
      return await send(tokens.length === 0 ? undefined : tokens.join(', '))
    } catch (error) {
      const action =
        isKasirError(error) && error.code === 'APPROVAL_REQUIRED' ? error.details?.['action'] : undefined
      if (typeof action !== 'string' || tokens.length >= MOST_APPROVALS || began !== handovers()) throw error
      const token = await ask(action, subjectId)
      if (token === null) throw error
      tokens.push(token)
    }
  }
}
