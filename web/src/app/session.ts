import type { Account, Caller } from 'kasir-client'
import { create } from 'zustand'
import { createJSONStorage, persist } from 'zustand/middleware'
import { createChangedStorage } from '../offline/changed-storage.ts'
import { serverNow } from '../offline/clock.ts'

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
  /**
   * When this device was last locked or signed out, by the clock of the service; null since a later sign-in there. The
   * cookie may outlive it, but a session that is older opens nothing.
   */
  closedAt: string | null
  begin(member: Member, account: Account): void
  /**
   * The workspace of the cookie. A member whom this device alone recognised may belong to another one, that of the
   * till. Absent in a session that an older version stored.
   */
  servedAccountId?: string | undefined
  /** Opens the register for a member without the service, in the member's workspace. */
  beginHere(member: Member, account: Account): void
  end(): void
  setReachable(isReachable: boolean): void
}

/** Writes only a session that this tab changed: it must not put back an older one over that of another tab. */
const storage = createChangedStorage()

const NAME = 'kasir-session'

/** The session stored by the tab that last signed in or out; null if it is unreadable. */
export function readStoredSession(): Pick<Session, 'member' | 'account' | 'isProvisional'> | null {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? 'null')?.state ?? null
  } catch {
    return null
  }
}

export const useSession = create<Session>()(
  persist(
    (set) => ({
      member: null,
      account: null,
      isReachable: true,
      isProvisional: false,
      closedAt: null,
      begin: (member, account) =>
        set({
          member,
          account,
          isReachable: true,
          isProvisional: false,
          servedAccountId: account.id,
          closedAt: null,
        }),
      beginHere: (member, account) =>
        set(({ account: before, servedAccountId = before?.id }) => ({
          member,
          account,
          isProvisional: true,
          servedAccountId,
        })),
      end: () => set({ member: null, isProvisional: false, closedAt: serverNow() }),
      setReachable: (isReachable) =>
        set((now) => (now.isReachable === isReachable ? now : { ...now, isReachable })),
    }),
    {
      name: NAME,
      storage: createJSONStorage(() => storage),
      partialize: ({ member, account, isProvisional, servedAccountId, closedAt }) => ({
        member,
        account,
        isProvisional,
        servedAccountId,
        closedAt,
      }),
    },
  ),
)

/**
 * Whether the service answers for the workspace that this device shows. Otherwise no sale is sent, and no catalogue or
 * customer is copied.
 */
export const isServed = ({ account, servedAccountId }: Pick<Session, 'account' | 'servedAccountId'>) =>
  servedAccountId === undefined || servedAccountId === account?.id
