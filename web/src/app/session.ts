import type { Account, Caller } from 'kasir-client'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'

export type Member = Pick<Caller, 'id' | 'name' | 'role' | 'email'>

type Session = {
  /**
   * The member of the last sign-in; null after a sign-out or when the session ended. Stored, so that a reload shows
   * the page immediately.
   */
  member: Member | null
  account: Account | null
  /** Whether the last request got an answer from the service. */
  isReachable: boolean
  /** The member was recognised by this device alone: the service asks for the PIN once it can be reached. */
  isProvisional: boolean
  begin(member: Member, account: Account): void
  /** Opens the register for a member without the service. */
  beginHere(member: Member): void
  end(): void
  setReachable(isReachable: boolean): void
}

export const useSession = create<Session>()(
  persist(
    (set) => ({
      member: null,
      account: null,
      isReachable: true,
      isProvisional: false,
      begin: (member, account) => set({ member, account, isReachable: true, isProvisional: false }),
      beginHere: (member) => set({ member, isProvisional: true }),
      end: () => set({ member: null, isProvisional: false }),
      setReachable: (isReachable) =>
        set((now) => (now.isReachable === isReachable ? now : { ...now, isReachable })),
    }),
    {
      name: 'kasir-session',
      partialize: ({ member, account, isProvisional }) => ({ member, account, isProvisional }),
    },
  ),
)
