import type { Answer } from './call.ts'

/** Follows the cursor from page to page until the caller stops reading. */
export async function* pagesOf(
  ask: (more: { cursor?: string }) => Promise<Answer<unknown>>,
): AsyncGenerator<Answer<unknown>, void, undefined> {
  let page = await ask({})
  yield page
  while (page.meta.hasMore === true && typeof page.meta.cursor === 'string') {
    page = await ask({ cursor: page.meta.cursor })
    yield page
  }
}
