import { readFileSync } from 'node:fs'

export type Environment = Readonly<Record<string, string | undefined>>
type Named = { env: string; secret: boolean }

/** The variable that names a file with the value of a secret setting; no other setting has one. */
export const fileVariable = ({ env, secret: isSecret }: Named) => (isSecret ? `${env}_FILE` : null)

/**
 * What is set: the text of the variable, or of the file that its twin names. Empty where neither is.
 * @throws {Error} with the end of a sentence that begins with the variable
 */
export function givenText(row: Named, env: Environment): string {
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
