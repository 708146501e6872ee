import { isKasirError } from 'kasir-client'
import { create } from 'zustand'
import { onHandover } from '../../app/till.ts'

export type Proof = { currentPassword?: string; code?: string }
/** What the service takes as proof: the password, the password or a code, or both. */
export type ProofNeed = 'password' | 'either' | 'both'

export type ProofRequest = {
  need: ProofNeed
  /** Repeats the action with the proof and throws if the proof was refused; null gives the action up. */
  answer(proof: Proof | null): Promise<void>
}

/** The proof that an action waits for; the frame of the back office shows the dialog. */
export const useProof = create<{ request: ProofRequest | null }>(() => ({ request: null }))

const handovers = onHandover(() => void useProof.getState().request?.answer(null))

const isProofRequired = (error: unknown): boolean =>
  isKasirError(error) && (error.param === 'currentPassword' || error.param === 'code')

/** The member can correct the proof or send it again: the dialog stays open with what they typed. */
const isCorrectable = (error: unknown): boolean =>
  isProofRequired(error) || !isKasirError(error) || error.code === 'RATE_LIMITED' || error.status >= 500

/** The member closed the dialog: the action was not done, and there is no error to show. */
export class ProofCanceled extends Error {}

/**
 * Sends a request, asks the member for proof if the service demands it, and repeats the request. Throws ProofCanceled
 * if the member closes the dialog, or if the till is locked or the member changes while it is open. With `both` it asks
 * immediately.
 */
export async function withProof<D>(need: ProofNeed, send: (proof: Proof) => Promise<D>): Promise<D> {
  if (need !== 'both') {
    const began = handovers()
    try {
      return await send({})
    } catch (error) {
      if (!isProofRequired(error) || began !== handovers()) throw error
    }
  }
  return new Promise((resolve, reject) => {
    const close = () =>
      useProof.setState(({ request }) => ({ request: request?.answer === answer ? null : request }))
    const answer = async (proof: Proof | null) => {
      if (proof === null) {
        close()
        reject(new ProofCanceled())
        return
      }
      try {
        const data = await send(proof)
        close()
        resolve(data)
      } catch (error) {
        if (isCorrectable(error)) throw error
        close()
        reject(error)
      }
    }
    useProof.setState({ request: { need, answer } })
  })
}
