import { create } from 'zustand'
import type { Tile } from './shelf.ts'

/** What a tile costs now. `listName` is the price list that sets the price; null for that of the catalogue. */
export type TilePrice = { price: number; isRange: boolean; listName: string | null }

type TilePrices = {
  /** Another function whenever other price lists apply; null while none does. */
  priceOf: ((tile: Tile) => TilePrice) | null
}
/** The prices of the tiles by the price lists (list-prices.ts), for the sale that is rung up and the present time. */
export const useTilePrices = create<TilePrices>(() => ({ priceOf: null }))
