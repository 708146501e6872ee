import { useSession } from '../../app/session.ts'

/**
 * The typed values of a form, kept in this tab until they are saved or discarded. They survive the end of a session,
 * a lost connection and a reload. Passwords, PINs and tokens are never kept.
 */
const keyOf = (name: string) => {
  const { account, member } = useSession.getState()
  return `kasir-draft:${account?.id}:${member?.id}:${name}`
}

const SECRET = /password|pin$|token$/i

export function keepDraft(name: string, values: object) {
  try {
    const open = Object.entries(values).filter(([key]) => !SECRET.test(key))
    sessionStorage.setItem(keyOf(name), JSON.stringify(Object.fromEntries(open)))
  } catch {
    // Storage is full or blocked: the values stay on the screen.
  }
}

export function dropDraft(name: string) {
  sessionStorage.removeItem(keyOf(name))
}

export function readDraft(name: string): object | null {
  try {
    const text = sessionStorage.getItem(keyOf(name))
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}
