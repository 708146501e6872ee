import { createHmac } from 'node:crypto'
import { isSameText } from 'kasir/partner-tools'

export type Keys = {
  /** The API key of a workspace. */
  keyOf(workspaceId: string): string
  isPlatform(key: string): boolean
  /** Returns the workspace of a key, or null if the key was not issued here. */
  workspaceOf(key: string): string | null
}

/**
 * Workspace keys are derived from the platform key (HMAC-SHA256), so none is stored and the same request returns the same
 * key. Changing the platform key changes them all. `prefix` starts the keys of one partner.
 */
export function keysOf(platformKey: string, prefix: string): Keys {
  const shape = new RegExp(`^${prefix}_(wsp_[0-9A-Z]{26})_`)
  const keyOf = (workspaceId: string) => {
    const mac = createHmac('sha256', platformKey).update(`workspace key\n${workspaceId}`).digest('base64url')
    return `${prefix}_${workspaceId}_${mac}`
  }
  return {
    keyOf,
    isPlatform: (key) => isSameText(key, platformKey),
    workspaceOf: (key) => {
      const workspaceId = shape.exec(key)?.[1]
      return workspaceId !== undefined && isSameText(key, keyOf(workspaceId)) ? workspaceId : null
    },
  }
}
