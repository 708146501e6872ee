/** Interfaces that the areas require from external systems; adapters implement them. Amounts are whole rupiah. */

/** A debited card, or the reason why the card could not pay. */
export type CardDebit =
  | { outcome: 'paid'; giftCardId: string; code: string; balance: number }
  | { outcome: 'unknown' }
  | { outcome: 'voided' }
  | { outcome: 'short'; balance: number }

/**
 * Stores the value of gift cards. `At` is the context of one call: the running transaction if the cards are stored
 * here. Each movement is atomic. `key` is its idempotency key, so that a retry moves nothing twice.
 */
export type GiftCardVault<At> = {
  debit(at: At, movement: { code: string; amount: number; key: string }): Promise<CardDebit>
  /** The new balance; null if the card is voided and accepts no refund. */
  credit(at: At, movement: { giftCardId: string; amount: number; key: string }): Promise<number | null>
  /** Voids the card and returns the amount written off; null if it was void already. */
  writeOff(at: At, movement: { giftCardId: string; key: string }): Promise<number | null>
}
