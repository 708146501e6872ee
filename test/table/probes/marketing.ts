import type { Api } from '../../support/api.ts'
import { fresh, makeProduct } from '../../support/build.ts'
import { done } from '../../support/expect.ts'
import { byId, type Make } from '../request.ts'

const post = async (api: Api, more: object = {}): Promise<string> =>
  done(await api.post('/account/blog/posts', { title: fresh('Post'), body: 'Text', ...more })).post.id

/** Marketing: carts, blog, feeds and pixels. */
export const marketing: Record<string, Make> = {
  'GET /account/abandoned-cart': async () => ({}),
  'PATCH /account/abandoned-cart': async () => ({ body: { enabled: false, delayHours: 24 } }),
  'GET /account/abandoned-cart/reminders': async () => ({ query: { limit: '5' } }),
  'GET /account/abandoned-cart/stats': async () => ({ query: { windowDays: '7' } }),
  'GET /account/blog/posts': async (api) => {
    await post(api)
    return { query: { status: 'draft' } }
  },
  'POST /account/blog/posts': async () => ({ body: { title: fresh('Post'), body: 'Text', tags: ['new'] } }),
  'GET /account/blog/posts/{id}': byId(post),
  'PATCH /account/blog/posts/{id}': byId(post, { body: { title: 'Renamed' } }),
  'DELETE /account/blog/posts/{id}': byId(post),
  'POST /account/blog/posts/{id}/publish': byId(post),
  'POST /account/blog/posts/{id}/unpublish': byId((api) => post(api, { status: 'published' })),
  'GET /account/feeds': async () => ({}),
  'PATCH /account/feeds': async () => ({ body: { productUrl: 'https://shop.example/{variantId}' } }),
  'GET /account/feeds/preview': async (api) => {
    await makeProduct(api)
    return { query: { format: 'google' } }
  },
  'GET /account/pixels': async () => ({}),
  'PATCH /account/pixels': async () => ({
    body: { analyticsId: 'G-1', socialCapiAccessToken: 'a-token-of-the-probe' },
  }),
}
