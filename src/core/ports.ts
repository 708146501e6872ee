/**
 * What the areas ask of the world outside, in our words; adapters answer in theirs. Amounts are whole rupiah.
 */

/** A card that held enough, after its debit; or why it paid nothing. */
export type CardDebit =
  | { outcome: 'paid'; giftCardId: string; code: string; balance: number }
  | { outcome: 'unknown' }
  | { outcome: 'voided' }
  | { outcome: 'short'; balance: number }

/**
 * Where the value of gift cards is kept. `At` is what one call works in: the running transaction when the cards are
 * ours. Each movement happens wholly or not at all; `key` names it, so that a repeated call moves nothing twice.
 */
export type GiftCardVault<At> = {
  debit(at: At, movement: { code: string; amount: number; key: string }): Promise<CardDebit>
  /** The new balance; null when the card is voided and can take no money back. */
  credit(at: At, movement: { giftCardId: string; amount: number; key: string }): Promise<number | null>
  /** Ends the card and returns how much was written off; null when it had ended before. */
  writeOff(at: At, movement: { giftCardId: string; key: string }): Promise<number | null>
}
