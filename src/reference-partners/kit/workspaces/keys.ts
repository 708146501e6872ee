import { createHmac } from 'node:crypto'
import { isSameText } from '../../../core/same-text.ts'

export type Keys = {
  /** The API key of a workspace. */
  keyOf(workspaceId: string): string
  isPlatform(key: string): boolean
  /** The workspace that a key was made for, or null when it was never made here. */
  workspaceOf(key: string): string | null
}

/**
 * Keys of workspaces are made from the platform's (HMAC-SHA256), so none is stored and the same question gets the same
 * answer. Another platform key makes all of them others. `prefix` begins the keys of one partner.
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
