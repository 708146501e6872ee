/**
 * One row per setting: docs/configuration.md is generated from this table. The value of a secret setting is never
 * shown.
 */
type Setting<T> = {
  env: string
  fallback: string
  help: string
  secret: boolean
  parse(text: string): T
}

export const setting = <T>(
  env: string,
  fallback: string,
  parse: (text: string) => T,
  help: string,
): Setting<T> => ({
  env,
  fallback,
  help,
  secret: false,
  parse,
})
export const secret = <T>(row: Setting<T>): Setting<T> => ({ ...row, secret: true })
