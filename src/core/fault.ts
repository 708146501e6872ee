type StartFault =
  | 'DATA_DIR_IN_USE'
  | 'DATA_DIR_UNUSABLE'
  | 'DATABASE_FAILED'
  | 'DATABASE_UNREACHABLE'
  | 'DATABASE_HALF_SHARDED'
  | 'DATABASE_NOT_SHARDED'
  | 'DATABASE_POOLED'
  | 'DATABASE_UNSAFE'
  | 'SCHEMA_REFUSED'
  | 'PORT_UNUSABLE'
  | 'INTERRUPTED'
  | 'READ_REPLICA_REFUSED'
  | 'REBALANCE_FAILED'
  | 'SECRETS_KEY_UNUSABLE'
  | 'TLS_UNUSABLE'

/** A fault that the operator can fix: the command line prints only its message, without a stack. */
export class StartError extends Error {
  readonly code: StartFault

  constructor(code: StartFault, message: string) {
    super(message)
    this.name = 'StartError'
    this.code = code
  }
}

export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Returns null for an error with one of these codes (default: ENOENT); throws every other error. */
export async function nullOnCodes<T>(work: Promise<T>, ...codes: string[]): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if ((codes.length > 0 ? codes : ['ENOENT']).includes(systemCode(error))) return null
    throw error
  }
}
