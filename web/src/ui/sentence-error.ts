import type { TextKey } from '../texts/texts.ts'

/** An error of the register itself, with the sentence that a cashier reads. */
export class SentenceError extends Error {
  readonly text: TextKey
  constructor(text: TextKey) {
    super(text)
    this.text = text
  }
}
