import { readFileSync } from 'node:fs'

export type Environment = Readonly<Record<string, string | undefined>>
type SecretSetting = { env: string; secret: boolean }

/** The variable that names a file with the value of a secret setting; other settings have no such variable. */
export const fileVariable = ({ env, secret: isSecret }: SecretSetting) => (isSecret ? `${env}_FILE` : null)

/**
 * The value of the setting: the text of its variable, or of the file named by the `_FILE` variable. Empty if neither
 * is set.
 * @throws {Error} with the end of a sentence that begins with the variable
 */
export function givenText(row: SecretSetting, env: Environment): string {
  const text = (env[row.env] ?? '').trim()
  const variable = fileVariable(row)
  const file = variable === null ? '' : (env[variable] ?? '').trim()
  if (file === '') return text
  if (text !== '') throw new Error(`and ${variable} are both set: keep one of them`)
  const content = fileText(file)
  if (content === '') throw new Error(`is empty: ${variable} names ${file}, and nothing is in it`)
  return content
}

function fileText(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new Error(`cannot be read from ${file} (${String((error as NodeJS.ErrnoException).code)})`)
  }
}
