import type { Api } from '../../support/api.ts'
import {
  enableModule,
  fresh,
  makeCustomer,
  makeOutlet,
  makeProduct,
  makeVariant,
} from '../../support/build.ts'
import { done } from '../../support/expect.ts'
import { followSales } from '../../support/marketing.ts'
import { byId, type Make } from '../request.ts'

const post = async (api: Api, more: object = {}): Promise<string> =>
  done(await api.post('/account/blog/posts', { title: fresh('Post'), body: 'Text', ...more })).post.id

const PROGRAM = {
  enabled: true,
  rewardType: 'percent',
  referrerValue: 10,
  refereeValue: 5,
  currency: 'IDR',
}
/** A customer with a link, and another who named its code. */
const refer = async (api: Api) => {
  done(await api.put('/account/referrals', PROGRAM))
  const [outletId, variantId] = [await makeOutlet(api), await makeVariant(api, { trackStock: false })]
  const sell = async (customerId: string, more: object = {}) => {
    const items = [{ variantId, quantity: 1 }]
    done(await api.post('/sales', { outletId, customerId, items, status: 'COMPLETED', ...more }))
    await followSales()
  }
  const referrer = await makeCustomer(api)
  await sell(referrer)
  const [link] = done(await api.get('/account/referrals/links')).links
  await sell(await makeCustomer(api), { discountCode: link.code })
}

/** A workspace with a public address, where feeds and the program lead to a site. */
const opened = async (api: Api): Promise<{ params: Record<string, string> }> => {
  await enableModule(api, 'marketing')
  const publicSlug = fresh('shop').replace(' ', '-').toLowerCase()
  done(await api.put('/settings', { publicSlug }))
  done(await api.patch('/account/feeds', { enabled: true, productUrl: 'https://shop.example/{variantId}' }))
  return { params: { accountSlug: publicSlug } }
}

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
  'GET /account/referrals': async () => ({}),
  'PUT /account/referrals': async () => ({ body: { ...PROGRAM, programTerms: 'Once' } }),
  'GET /account/referrals/links': async (api) => {
    await refer(api)
    return {}
  },
  'GET /account/referrals/attributions': async (api) => {
    await refer(api)
    return {}
  },
  'GET /account/referrals/stats': async () => ({}),
  'GET /public/{accountSlug}/feed.xml': opened,
  'GET /public/{accountSlug}/feed.csv': async (api) => ({
    ...(await opened(api)),
    query: { format: 'tiktok' },
  }),
  'GET /public/{accountSlug}/feed.json': opened,
  'GET /public/{accountSlug}/blog/posts': opened,
  'GET /public/{accountSlug}/blog/posts/{slug}': async (api) => {
    const { params } = await opened(api)
    const slug = fresh('post').replace(' ', '-').toLowerCase()
    await post(api, { slug, status: 'published' })
    return { params: { ...params, slug } }
  },
  'GET /public/{accountSlug}/r/{code}': async (api) => {
    const { params } = await opened(api)
    await refer(api)
    const [link] = done(await api.get('/account/referrals/links')).links
    return { params: { ...params, code: link.code } }
  },
  'GET /account/pixels': async () => ({}),
  'PATCH /account/pixels': async () => ({
    body: { analyticsId: 'G-1', socialCapiAccessToken: 'a-token-of-the-probe' },
  }),
}
