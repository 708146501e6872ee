import { useSession } from '../../app/session.ts'

/** What was typed in a form before its page was left. */
export type Draft<V extends object> = {
  /** The record as the member saw it. */
  base: V
  values: V
  /** The results of the steps that an earlier try to save completed. */
  done?: Readonly<Record<string, string>>
  /** The Idempotency-Key of a save whose outcome is unknown. */
  key?: string | undefined
  /** No answer came to a save: the values may have been saved. */
  mayBeSaved?: boolean
}

/**
 * The draft of a form, kept in this tab until it is saved or discarded. It survives the end of a session, a lost
 * connection and a reload. Passwords, PINs and tokens are never kept.
 */
export type DraftStore<V extends object> = {
  read(): Draft<V> | null
  /** Changes the parts that are given; the others stay. */
  keep(change: Partial<Draft<V>>): void
  drop(): void
}

const SECRET = /password|pin$|token$/i

const withoutSecrets = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !SECRET.test(key)))

/** The draft of the present member. It stays that member's when the session ends. */
export function draftOf<V extends object>(name: string): DraftStore<V> {
  const { account, member } = useSession.getState()
  const place = `kasir-form:${account?.id}:${member?.id}:${name}`
  const read = (): Draft<V> | null => {
    try {
      return JSON.parse(sessionStorage.getItem(place) ?? 'null')
    } catch {
      return null
    }
  }
  return {
    read,
    keep: (change) => {
      const draft = { ...read(), ...change }
      // A draft that was dropped meanwhile stays dropped.
      if (draft.base === undefined || draft.values === undefined) return
      const open = { base: withoutSecrets(draft.base), values: withoutSecrets(draft.values) }
      try {
        sessionStorage.setItem(place, JSON.stringify({ ...draft, ...open }))
      } catch {
        // Storage is full or blocked: the values stay on the screen.
      }
    },
    drop: () => sessionStorage.removeItem(place),
  }
}
