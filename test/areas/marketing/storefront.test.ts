import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { XMLValidator } from 'fast-xml-parser'
import { beforeAll, describe, expect, test } from 'vitest'
import { manualClock } from '../../../src/platform/clock.ts'
import type { Api } from '../../support/api.ts'
import {
  makeComposite,
  makeCustomer,
  makeOutlet,
  makeProduct,
  makeVariant,
  stock,
} from '../../support/build.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { followSales, marketer, useMarketing } from '../../support/marketing.ts'
import { address, alongside, as, deps } from '../../support/service.ts'

const clock = manualClock('2026-03-01T05:00:00.000Z')
useMarketing({ clock })

const nobody = () => as(null)
const at = (path: string) => nobody().get(`/public/toko-kita/${path}`)
const PATHS = ['feed.xml', 'feed.csv', 'feed.json', 'blog/posts', 'blog/posts/buka', 'r/ABCDEFGH']
let shop: Api

beforeAll(async () => {
  shop = await marketer('Toko Kita')
  done(await shop.put('/settings', { publicSlug: 'toko-kita', npwp: '123456789012345' }))
  done(
    await shop.patch('/account/feeds', { enabled: true, productUrl: 'https://toko.example/p/{variantId}' }),
  )
})

test.each(PATHS)(
  '%s of an address that nobody has is 404, and so is that of a module that is off',
  async (path) => {
    const other = await marketer('Tutup')
    done(await other.put('/settings', { publicSlug: `tutup-${PATHS.indexOf(path)}` }))
    done(await other.patch('/account/feeds', { enabled: true }))
    done(await other.post('/account/blog/posts', { title: 'Buka', body: 'x', status: 'published' }))
    done(await other.post('/modules', { module: 'marketing', enabled: false }))
    for (const slug of ['no-such-shop', `tutup-${PATHS.indexOf(path)}`, 'Toko-Kita', "x'--"]) {
      const answer = await nobody().get(`/public/${encodeURIComponent(slug)}/${path}`)
      expect([slug, refusalOf(answer)]).toEqual([slug, { status: 404, code: 'NOT_FOUND', param: undefined }])
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  },
)

describe('a feed', () => {
  const ids: string[] = []
  beforeAll(async () => {
    for (let n = 0; n < 5; n += 1) {
      const variants = Array.from({ length: 250 }, (_, i) => ({
        name: `V${n}-${i}`,
        price: 1_000 + i,
        cost: 777_777,
      }))
      const made = await makeProduct(shop, { name: `Kopi ${n} & <teh>`, variants })
      ids.push(...made.variants.map(({ id }: { id: string }) => id))
    }
  })

  test('is the whole catalogue in every format, each item once, and tells no cost and no tax number', async () => {
    const [xml, csv, tiktok, json] = await Promise.all(
      ['feed.xml', 'feed.csv', 'feed.csv?format=tiktok', 'feed.json'].map(at),
    )
    expect(XMLValidator.validate(xml?.text ?? '')).toBe(true)
    expect(xml?.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    expect([...(xml?.text ?? '').matchAll(/<g:id>([^<]+)</g)].map(([, id]) => id).toSorted()).toEqual(
      ids.toSorted(),
    )
    for (const [answer, head] of [
      [csv, 'id,'],
      [tiktok, 'sku_id,'],
    ] as const) {
      const lines = (answer?.text ?? '').trimEnd().split('\r\n')
      expect([lines.length, lines[0]?.startsWith(head)]).toEqual([1_251, true])
    }
    expect(JSON.parse(json?.text ?? '').items).toHaveLength(1_250)
    for (const answer of [xml, csv, tiktok, json])
      expect(answer?.text).not.toMatch(/777777|123456789012345|acc_/)
  })

  test('may be kept for five minutes, and is 304 until anything in it changes', async () => {
    const first = await at('feed.xml')
    const tag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).toBe('public, max-age=300')
    const again = async () =>
      (await nobody().get('/public/toko-kita/feed.xml', { headers: { 'if-none-match': tag } })).status
    expect(await again()).toBe(304)
    const other = await nobody().get('/public/toko-kita/feed.json', { headers: { 'if-none-match': tag } })
    expect(other.status).toBe(200)
    clock.advance(1)
    done(await priceOf(ids[0] as string))
    expect(await again()).toBe(200)
  })

  const productOf = async (vid: string): Promise<string> => {
    const { rows } = await deps().pool.query('select product_id as id from variants where id = $1', [vid])
    return rows[0].id
  }
  const priceOf = async (vid: string) =>
    shop.patch(`/products/${await productOf(vid)}/variants/${vid}`, { price: 5 })

  const keptFiles = async () => {
    const dir = path.join(deps().config.dataDir, 'feeds')
    const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => [])
    return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  }

  test('that nothing has changed is sent from the file that was written last, to the byte; every change makes it anew', async () => {
    const settle = () => clock.advance(21_000)
    settle()
    const made = (await at('feed.xml')).text
    const [file = ''] = await keptFiles()
    expect(await readFile(file, 'utf8')).toBe(made)
    const mark = async (kept: string, text: string) => {
      await writeFile(kept, text.replace('<channel>', '<channel><!-- kept -->'))
      await utimes(kept, clock.ms() / 1000, clock.ms() / 1000)
    }
    await mark(file, made)
    const isKept = async () => (await at('feed.xml')).text.includes('<!-- kept -->')
    expect(await isKept()).toBe(true)
    const changes: [string, () => Promise<unknown>][] = [
      ['a price', () => priceOf(ids[1] as string)],
      ['the name of the shop', () => shop.put('/settings', { businessName: 'Toko Kita Dua' })],
      [
        'a picture',
        async () =>
          shop.patch(`/products/${await productOf(ids[2] as string)}`, {
            imageUrl: 'https://a.example/b.png',
          }),
      ],
      ['stock', async () => stock(shop, await makeOutlet(shop), ids[3] as string, 1)],
      ['a category', () => shop.post('/categories', { name: 'Teh' })],
      ['the settings of feeds', () => shop.patch('/account/feeds', { defaultFeedProductCategory: '412' })],
    ]
    for (const [what, change] of changes) {
      await change()
      expect([what, await isKept()]).toEqual([what, false])
      settle()
      const next = (await at('feed.xml')).text
      const files = await keptFiles()
      expect([what, files.length, await readFile(files[0] ?? '', 'utf8')]).toEqual([what, 1, next])
      await mark(files[0] ?? '', next)
      expect([what, await isKept()]).toEqual([what, true])
    }
    clock.advance(7 * 3_600_000)
    expect(await isKept()).toBe(false)
  })

  test('shows at once what another process has changed, and within a minute what was changed past the service', async () => {
    const other = await alongside()
    const id = ids[5] as string
    const priceAt = async (service: Api) => {
      const { text } = await service.get('/public/toko-kita/feed.xml')
      return new RegExp(`<g:id>${id}</g:id>.*?<g:price>([^<]+)<`).exec(text)?.[1]
    }
    const change = async (price: number) => {
      clock.advance(21_000)
      done(
        await other
          .as(shop.workspace.key)
          .patch(`/products/${await productOf(id)}/variants/${id}`, { price }),
      )
      return [await priceAt(nobody()), await priceAt(other.as(''))]
    }
    expect(await change(6_001)).toEqual(['6001 IDR', '6001 IDR'])
    expect(await change(6_002)).toEqual(['6002 IDR', '6002 IDR'])
    const past = 'update variants set price = 6003, updated_at = $3 where account_id = $1 and id = $2'
    await deps().pool.query(past, [shop.workspace.accountId, id, new Date(clock.ms() + 1)])
    clock.advance(61_000)
    expect(await priceAt(nobody())).toBe('6003 IDR')
    await other.stop()
  })

  describe('of goods with batches', () => {
    const feedOf = async (slug: string, tag = '') => {
      const headers = { 'if-none-match': tag }
      const answer = await nobody().get(`/public/${slug}/feed.json`, { headers })
      const availability = () =>
        Object.fromEntries(
          JSON.parse(answer.text).items.map((item: { title: string; availability: string }) => [
            item.title,
            item.availability,
          ]),
        )
      return { status: answer.status, tag: answer.headers.get('etag') ?? '', availability }
    }
    const open = async (slug: string) => {
      const api = await marketer(slug)
      done(await api.put('/settings', { publicSlug: slug }))
      done(await api.patch('/account/feeds', { enabled: true }))
      return api
    }
    const receive = async (api: Api, outletId: string, variantId: string, expiryDate: string, qty = 5) =>
      done(await api.post('/inventory/batches', { outletId, variantId, qty, expiryDate }))

    test('offers what a sale could take: neither expired batches nor what is made of them', async () => {
      clock.set('2026-04-10T05:00:00.000Z')
      const api = await open('apotek')
      const outletId = await makeOutlet(api)
      const make = (name: string, fields: object = {}) => makeVariant(api, { name, ...fields })
      const old = await make('Old')
      const half = await make('Half')
      const loose = await make('Loose', { requiresBatch: true })
      const fresh = await make('Fresh', { requiresBatch: true })
      await makeComposite(api, [[old, 1]], { name: 'Of old' })
      await makeComposite(api, [[half, 3]], { name: 'Of half' })
      await makeComposite(api, [[half, 4]], { name: 'Of more' })
      await receive(api, outletId, old, '2026-04-09')
      await receive(api, outletId, half, '2026-04-09')
      await stock(api, outletId, half, 3)
      await stock(api, outletId, loose, 3)
      await receive(api, outletId, fresh, '2026-04-10')
      expect((await feedOf('apotek')).availability()).toEqual({
        Old: 'out_of_stock',
        Half: 'in_stock',
        Loose: 'out_of_stock',
        Fresh: 'in_stock',
        'Of old': 'out_of_stock',
        'Of half': 'in_stock',
        'Of more': 'out_of_stock',
      })
    })

    test('is another one from midnight on at each outlet, on its own clock', async () => {
      clock.set('2026-04-10T05:00:00.000Z')
      const api = await open('warung')
      const zones = ['Asia/Jayapura', 'Asia/Makassar', 'Asia/Jakarta']
      for (const timezone of zones)
        await receive(
          api,
          await makeOutlet(api, { timezone }),
          await makeVariant(api, { name: timezone }),
          '2026-04-10',
        )
      clock.set('2026-04-10T14:59:59.000Z')
      const all = await feedOf('warung')
      const [yes, no] = ['in_stock', 'out_of_stock']
      expect(Object.values(all.availability())).toEqual([yes, yes, yes])
      expect((await feedOf('warung', all.tag)).status).toBe(304)
      const afterMidnight = async (instant: string, tag: string) => {
        clock.set(instant)
        const next = await feedOf('warung', tag)
        return { ...next, seen: next.status === 200 ? Object.values(next.availability()) : null }
      }
      const first = await afterMidnight('2026-04-10T15:00:00.000Z', all.tag)
      expect(first.seen).toEqual([no, yes, yes])
      const second = await afterMidnight('2026-04-10T16:00:00.000Z', first.tag)
      expect(second.seen).toEqual([no, no, yes])
      const third = await afterMidnight('2026-04-10T17:00:00.000Z', second.tag)
      expect(third.seen).toEqual([no, no, no])
      expect((await afterMidnight('2026-04-11T14:00:00.000Z', third.tag)).status).toBe(304)
    })
  })

  test('of a moment ago is not kept: the same instant may hold another change', async () => {
    done(await priceOf(ids[4] as string))
    const [file = ''] = await keptFiles()
    const before = await readFile(file, 'utf8')
    expect((await at('feed.xml')).text).toContain(`<g:id>${ids[4]}</g:id>`)
    expect(await Promise.all((await keptFiles()).map((one) => readFile(one, 'utf8')))).toEqual([before])
  })

  test('whose reader goes away, or whose folder cannot be written, is served all the same', async () => {
    clock.advance(21_000)
    const url = `${address()}/api/v1/public/toko-kita/feed.json`
    const answer = await fetch(url)
    await answer.body?.cancel()
    expect((await at('feed.json')).status).toBe(200)
    const place = path.join(deps().config.dataDir, 'feeds', `${shop.workspace.accountId}-facebook`)
    await writeFile(place, 'in the way')
    expect((await at('feed.csv')).text.trimEnd().split('\r\n')).toHaveLength(1_251)
    const parts = async () => (await keptFiles()).filter((file) => path.basename(file).startsWith('part-'))
    await expect.poll(parts, { timeout: 20_000 }).toEqual([])
  })

  test('is 404 while feeds are off, and HEAD reads nothing of it', async () => {
    const head = await nobody().raw('HEAD', '/public/toko-kita/feed.xml', undefined, {})
    expect([head.status, head.text]).toEqual([200, ''])
    done(await shop.patch('/account/feeds', { enabled: false }))
    expect((await at('feed.xml')).status).toBe(404)
    done(await shop.patch('/account/feeds', { enabled: true }))
    expect((await at('feed.xml?utm_source=x&fbclid=1')).status).toBe(200)
    expect(refusalOf(await at('feed.csv?format=bing'))).toMatchObject({ status: 400, param: 'format' })
  })

  test('stays at an address that the workspace had before', async () => {
    done(await shop.put('/settings', { publicSlug: 'toko-baru' }))
    expect((await nobody().get('/public/toko-baru/feed.json')).status).toBe(200)
    expect((await at('feed.json')).status).toBe(200)
    done(await shop.put('/settings', { publicSlug: 'toko-kita' }))
  })
})

describe('the blog', () => {
  test('shows published posts whose date has come, and nothing of drafts', async () => {
    const write = async (title: string, more: object = {}) =>
      done(await shop.post('/account/blog/posts', { title, body: `Teks ${title}`, ...more })).post
    await write('Rahasia')
    await write('Nanti', { status: 'published', publishedAt: '2999-01-01T00:00:00Z' })
    await write('Lama', {
      status: 'published',
      publishedAt: '2020-01-01T00:00:00Z',
      marketingCampaignId: 'camp',
    })
    const taken = await write('Ditarik', { status: 'published' })
    await shop.post(`/account/blog/posts/${taken.id}/unpublish`)
    await write('Buka', { status: 'published', tags: ['a'] })
    const list = await at('blog/posts')
    expect(done(list).posts.map(({ title }: { title: string }) => title)).toEqual(['Buka', 'Lama'])
    expect(list.text).not.toMatch(/Teks|camp|blg_|acc_/)
    const first = done(await at('blog/posts?limit=1'))
    expect([first.posts.length, first.hasMore]).toEqual([1, true])
    const second = done(await at(`blog/posts?limit=1&cursor=${encodeURIComponent(first.cursor)}`))
    expect([second.posts[0].slug, second.hasMore, second.cursor]).toEqual(['lama', false, null])
    const post = await at('blog/posts/lama')
    expect(done(post).post).toMatchObject({
      title: 'Lama',
      body: 'Teks Lama',
      publishedAt: '2020-01-01T00:00:00.000Z',
    })
    expect(post.headers.get('cache-control')).toBe('public, max-age=60')
    const same = { headers: { 'if-none-match': post.headers.get('etag') ?? '' } }
    expect((await nobody().get('/public/toko-kita/blog/posts/lama', same)).status).toBe(304)
    for (const slug of ['rahasia', 'nanti', 'ditarik', 'none'])
      expect([slug, (await at(`blog/posts/${slug}`)).status]).toEqual([slug, 404])
    expect(refusalOf(await at('blog/posts?cursor=x'))).toMatchObject({ status: 400, param: 'cursor' })
  })
})

describe('a referral link', () => {
  let code: string
  const clicks = async () => done(await shop.get('/account/referrals/stats')).clicks
  const put = (more: object = {}) =>
    shop.put('/account/referrals', {
      enabled: true,
      rewardType: 'percent',
      referrerValue: 10,
      refereeValue: 5,
      currency: 'IDR',
      landingUrl: 'https://toko.example/?teman={code}',
      ...more,
    })

  beforeAll(async () => {
    done(await put())
    const [outletId, variantId] = [await makeOutlet(shop), await makeVariant(shop, { trackStock: false })]
    const customerId = await makeCustomer(shop, { name: 'Ani' })
    const items = [{ variantId, quantity: 1 }]
    done(await shop.post('/sales', { outletId, customerId, items, status: 'COMPLETED' }))
    await followSales()
    code = done(await shop.get('/account/referrals/links')).links[0].code
  })

  test('leads to the shop and counts who follows it, not who only looks', async () => {
    const before = await clicks()
    const followed = await at(`r/${code.toLowerCase()}?utm_source=wa`)
    expect([followed.status, followed.headers.get('location')]).toEqual([
      302,
      `https://toko.example/?teman=${code}`,
    ])
    expect(followed.headers.get('cache-control')).toBe('no-store')
    const looked = await nobody().raw('HEAD', `/public/toko-kita/r/${code}`, undefined, {})
    expect(looked.status).toBe(302)
    expect(await clicks()).toBe(before + 1)
    await Promise.all(Array.from({ length: 20 }, () => at(`r/${code}`)))
    expect(await clicks()).toBe(before + 21)
  })

  test('without a page of its own leads to the site of the feeds; nowhere while the program is off', async () => {
    done(await put({ landingUrl: null }))
    expect((await at(`r/${code}`)).headers.get('location')).toBe('https://toko.example/')
    for (const wrong of ['ZZZZZZZZ', 'x', `${code}x`]) expect((await at(`r/${wrong}`)).status).toBe(404)
    done(await put({ enabled: false }))
    expect((await at(`r/${code}`)).status).toBe(404)
    done(await put())
  })
})
