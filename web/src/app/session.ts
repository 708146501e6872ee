import type { Account, Caller } from 'kasir-client'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'

export type Member = Pick<Caller, 'id' | 'name' | 'role' | 'email'>

type Session = {
  /** The member of the last sign-in; null after a sign-out or when the session ended. Kept, so that a reload paints at once. */
  member: Member | null
  account: Account | null
  /** Whether the last request got an answer from the service. */
  isReachable: boolean
  begin(member: Member, account: Account): void
  end(): void
  setReachable(isReachable: boolean): void
}

export const useSession = create<Session>()(
  persist(
    (set) => ({
      member: null,
      account: null,
      isReachable: true,
      begin: (member, account) => set({ member, account, isReachable: true }),
      end: () => set({ member: null }),
      setReachable: (isReachable) =>
        set((now) => (now.isReachable === isReachable ? now : { ...now, isReachable })),
    }),
    {
      name: 'kasir-session',
      partialize: ({ member, account }) => ({ member, account }),
    },
  ),
)
