import type { Config } from '../config/config.ts'

export const isHttps = (config: Config) => config.publicUrl?.startsWith('https:') ?? false

export const attributes = (config: Config) =>
  ({ path: '/', httpOnly: true, secure: isHttps(config), sameSite: 'lax' }) as const
