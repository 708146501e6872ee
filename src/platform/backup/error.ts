/**
 * A backup or restore that cannot go on, in one sentence for the operator. `isWrongCall` when nothing was begun and
 * another call would do: the file is there already, the service is running, the name was not typed.
 */
export class BackupError extends Error {
  readonly isWrongCall: boolean

  constructor(message: string, { isWrongCall = false } = {}) {
    super(message)
    this.name = 'BackupError'
    this.isWrongCall = isWrongCall
  }
}
