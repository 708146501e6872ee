import type { Db } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { type Raster, rasterOf } from '../../../platform/print/image.ts'
import type { Paper } from '../../../platform/print/layout.ts'
import type { Scope } from '../../../platform/scope.ts'
import { keyIn } from './service.ts'
import * as store from './store.ts'

/** An image that heads a receipt: its size in points, and the dots that a printer of this paper makes of it. */
type Logo = { url: string; width: number; height: number; dots(paper: Paper): Promise<Raster | null> }

type Known = Omit<Logo, 'dots'> & { key: string; drawn: Map<Paper, Promise<Raster | null>> }

/** Logos of the shops that printed last; a file never changes under its key, so nothing here grows stale. */
const MOST_KNOWN = 100

/**
 * Finds the image that settings name. A receipt is printed whatever is wrong with it: without the image, and with a line
 * in the log.
 */
export function logoReader() {
  const known = new Map<string, Known>()

  const draw = async ({ storage, log }: Deps, { key }: Known, paper: Paper): Promise<Raster | null> => {
    try {
      const bytes = await storage.get(key)
      return bytes && (await rasterOf(bytes, paper))
    } catch (error) {
      log.warn({ err: error, key }, 'a logo could not be drawn; the receipt is printed without it')
      return null
    }
  }
  const find = async (db: Db, scope: Scope, url: string): Promise<Known | null> => {
    const key = keyIn(url)
    const row = key === null ? undefined : await store.findByKey(db, scope, key)
    if (!key || !row?.storedAt || !row.width || !row.height) return null
    return { url, key, width: row.width, height: row.height, drawn: new Map() }
  }
  return async (deps: Deps, db: Db, scope: Scope, url: string): Promise<Logo | null> => {
    const place = `${scope.accountId} ${url}`
    const logo = known.get(place) ?? (await find(db, scope, url))
    if (!logo) return null
    known.delete(place)
    known.set(place, logo)
    const [oldest] = known.keys()
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest)
    const dots = async (paper: Paper) => {
      const drawing = logo.drawn.get(paper) ?? draw(deps, logo, paper)
      logo.drawn.set(paper, drawing)
      const raster = await drawing
      // What failed is tried again by the next receipt.
      if (!raster) logo.drawn.delete(paper)
      return raster
    }
    return { url: logo.url, width: logo.width, height: logo.height, dots }
  }
}
