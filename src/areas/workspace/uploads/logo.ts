import { LRUCache } from 'lru-cache'
import { type Raster, rasterIn } from '../../../core/paper/image.ts'
import type { Paper } from '../../../core/paper/layout.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { AccountId } from '../../../platform/scope.ts'
import { dotsKeyOf } from './rules.ts'
import { keyIn, renderStored } from './service.ts'
import * as store from './store.ts'

/** The image at the top of a receipt: its size in points, and its dots for a printer with this paper. */
type Logo = { url: string; width: number; height: number; dots(paper: Paper): Promise<Raster | null> }

/** Caches the logos of shops that printed recently. A file never changes under its key, so entries stay valid. */
const MOST_KNOWN = 100

/** Reads the image that the settings name. If that fails, the receipt is printed without it and a line is logged. */
export function logoReader() {
  const known = new LRUCache<string, Promise<Logo | null>>({ max: MOST_KNOWN })

  /** Decodes, once, an image that was stored before uploads were decoded on arrival. */
  const findRendered = async (deps: Deps, db: Db, scope: { accountId: AccountId }, key: string) => {
    const row = await store.findByKey(db, scope, key)
    if (!row?.storedAt || row.renderedAt || row.refusal !== null) return row
    await renderStored(deps, scope.accountId, row)
    return store.findByKey(db, scope, key)
  }
  const find = async (
    deps: Deps,
    db: Db,
    scope: { accountId: AccountId },
    url: string,
  ): Promise<Logo | null> => {
    const key = keyIn(url)
    const row = key === null ? undefined : await findRendered(deps, db, scope, key)
    if (!key || !row?.storedAt || !row.renderedAt || !row.width || !row.height) return null
    const size = { width: row.width, height: row.height }
    let file: Promise<Buffer | null> | undefined
    const dots = async (paper: Paper) => {
      file ??= deps.storage.get(dotsKeyOf(key))
      try {
        return rasterIn((await file) ?? Buffer.alloc(0), size, paper)
      } catch (error) {
        // Drops the failed read, so that the next receipt reads the file again.
        file = undefined
        deps.log.warn(
          { err: error, key },
          'could not read the dots of a logo; the receipt is printed without it',
        )
        return null
      }
    }
    return { url, ...size, dots }
  }
  return async (deps: Deps, db: Db, scope: { accountId: AccountId }, url: string): Promise<Logo | null> => {
    const place = `${scope.accountId} ${url}`
    const finding = known.get(place) ?? find(deps, db, scope, url)
    known.set(place, finding)
    const logo = await finding.catch((error: unknown) => {
      deps.log.warn({ err: error, url }, 'could not read a logo; the receipt is printed without it')
      return null
    })
    if (!logo && known.peek(place) === finding) known.delete(place)
    return logo
  }
}
