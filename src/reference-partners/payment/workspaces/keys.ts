import { createHmac, timingSafeEqual } from 'node:crypto'

const PREFIX = 'paysk_'

export type Keys = {
  /** The API key of a workspace. */
  keyOf(workspaceId: string): string
  isPlatform(key: string): boolean
  /** The workspace that a key was made for, or null when it was never made here. */
  workspaceOf(key: string): string | null
}

const isSame = (a: string, b: string) => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * Keys of workspaces are made from the platform's (HMAC-SHA256), so none is stored and the same question gets the same
 * answer. Another platform key makes all of them others.
 */
export function keysOf(platformKey: string): Keys {
  const keyOf = (workspaceId: string) => {
    const mac = createHmac('sha256', platformKey).update(`workspace key\n${workspaceId}`).digest('base64url')
    return `${PREFIX}${workspaceId}_${mac}`
  }
  return {
    keyOf,
    isPlatform: (key) => isSame(key, platformKey),
    workspaceOf: (key) => {
      const workspaceId = /^paysk_(wsp_[0-9A-Z]{26})_/.exec(key)?.[1]
      return workspaceId !== undefined && isSame(key, keyOf(workspaceId)) ? workspaceId : null
    },
  }
}
