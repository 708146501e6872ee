/**
 * Ends a backup or restore, with one sentence for the operator. `isWrongCall` if no work began and a corrected call
 * would succeed: the output file exists, the service is running, or the database name was not typed.
 */
export class BackupError extends Error {
  readonly isWrongCall: boolean

  constructor(message: string, { isWrongCall = false } = {}) {
    super(message)
    this.name = 'BackupError'
    this.isWrongCall = isWrongCall
  }
}
