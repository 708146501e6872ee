import { expect, test } from 'vitest'
import { refusalOf } from '../../support/expect.ts'
import { marketer, useMarketing } from '../../support/marketing.ts'
import { acme, globex } from '../../support/service.ts'

useMarketing()

const POSTS = '/account/blog/posts'
const made = async (body: object, api = acme()) => {
  const answer = await api.post(POSTS, { title: 'Kopi baru', body: 'Datang dan coba.', ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.data.post
}

test('a post is a draft with every field, and reads back the same', async () => {
  const post = await made({ title: ' Kopi Gayo ', tags: ['kopi', 'baru', 'kopi'], excerpt: '' })
  expect(post).toEqual({
    id: expect.stringMatching(/^blg_[0-9A-HJKMNP-TV-Z]{26}$/),
    slug: 'kopi-gayo',
    title: 'Kopi Gayo',
    body: 'Datang dan coba.',
    excerpt: null,
    coverImage: null,
    status: 'draft',
    publishedAt: null,
    authorName: null,
    tags: ['kopi', 'baru'],
    metaTitle: null,
    metaDescription: null,
    marketingCampaignId: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  expect((await acme().get(`${POSTS}/${post.id}`)).data.post).toEqual(post)
})

test.each([
  ['Kafé & Résto: 50% off!', 'kafe-resto-50-off'],
  ['  --Es -- Teh--  ', 'es-teh'],
  ['新しいコーヒー', '新しいコーヒー'],
  ['🎉🎉', 'post'],
  ['x'.repeat(200), 'x'.repeat(150)],
])('the title %j makes the slug %j', async (title, slug) => {
  expect((await made({ title }, globex())).slug).toBe(slug)
})

test('posts with one title get -2, -3 and so on, also when they are written at the same time', async () => {
  const shop = await marketer('Slugs')
  const posts = await Promise.all(Array.from({ length: 20 }, () => made({ title: 'Promo' }, shop)))
  const slugs = posts.map(({ slug }) => slug)
  const wanted = ['promo', ...Array.from({ length: 19 }, (_, i) => `promo-${i + 2}`)]
  expect(slugs.toSorted()).toEqual(wanted.toSorted())
  await shop.delete(`${POSTS}/${posts[slugs.indexOf('promo-7')].id}`)
  expect((await made({ title: 'Promo' }, shop)).slug).toBe('promo-7')
})

test('a slug that another post has is 409, on create and on change; another workspace may have it', async () => {
  await made({ slug: 'Buka Puasa' })
  const other = await made({ slug: 'lebaran' })
  expect(refusalOf(await acme().post(POSTS, { title: 'A', body: 'b', slug: 'buka-puasa' }))).toEqual({
    status: 409,
    code: 'CONFLICT',
    param: 'slug',
  })
  const patched = await acme().patch(`${POSTS}/${other.id}`, { slug: 'buka-puasa' })
  expect(refusalOf(patched)).toEqual({ status: 409, code: 'CONFLICT', param: 'slug' })
  expect((await made({ slug: 'buka-puasa' }, globex())).slug).toBe('buka-puasa')
  expect((await acme().patch(`${POSTS}/${other.id}`, { slug: 'lebaran' })).status).toBe(200)
})

test('of twenty who ask for one slug at the same time one gets it', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => acme().post(POSTS, { title: 'A', body: 'b', slug: 'satu-saja' })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(409)])
})

test('a title changes without its slug; an empty slug is made from the title again', async () => {
  const post = await made({ title: 'Menu lama' })
  const renamed = await acme().patch(`${POSTS}/${post.id}`, { title: 'Menu baru sekali', excerpt: 'Ada' })
  expect(renamed.data.post).toMatchObject({ title: 'Menu baru sekali', slug: 'menu-lama', excerpt: 'Ada' })
  const again = await acme().patch(`${POSTS}/${post.id}`, { slug: '', excerpt: null })
  expect(again.data.post).toMatchObject({ slug: 'menu-baru-sekali', excerpt: null, body: post.body })
  const untouched = await acme().patch(`${POSTS}/${post.id}`, {})
  expect([untouched.status, untouched.data.post]).toEqual([200, again.data.post])
})

test('an empty slug takes the first free suffix, and keeps the slug that the post has already', async () => {
  const title = 'Kopi pagi'
  await made({ title })
  const other = await made({ title: 'Lain' })
  const emptied = async (fields: object) => {
    const { status, data } = await acme().patch(`${POSTS}/${other.id}`, { slug: '', ...fields })
    return [status, data?.post.slug]
  }
  expect(await emptied({ title })).toEqual([200, 'kopi-pagi-2'])
  expect(await emptied({})).toEqual([200, 'kopi-pagi-2'])
})

test('publishing sets the date once: unpublishing keeps it, and either twice changes nothing', async () => {
  const { id } = await made({ title: 'Buka' })
  const act = async (verb: string) => (await acme().post(`${POSTS}/${id}/${verb}`)).data.post
  const published = await act('publish')
  expect([published.status, published.publishedAt]).toEqual(['published', published.updatedAt])
  expect(await act('publish')).toEqual(published)
  const draft = await act('unpublish')
  expect([draft.status, draft.publishedAt]).toEqual(['draft', published.publishedAt])
  expect(await act('unpublish')).toEqual(draft)
  expect((await act('publish')).publishedAt).toBe(published.publishedAt)
})

test('a post may be published as it is made, with a date of its own', async () => {
  const now = await made({ status: 'published' })
  expect(now.publishedAt).toBe(now.createdAt)
  const dated = await made({ status: 'published', publishedAt: '2020-02-29T07:00:00+07:00' })
  expect(dated.publishedAt).toBe('2020-02-29T00:00:00.000Z')
  const cleared = await acme().patch(`${POSTS}/${dated.id}`, { publishedAt: null })
  expect(cleared.data.post.publishedAt).toBe(cleared.data.post.updatedAt)
  const draft = await acme().patch(`${POSTS}/${dated.id}`, { status: 'draft', publishedAt: null })
  expect(draft.data.post).toMatchObject({ status: 'draft', publishedAt: null })
})

test.each([
  [{ title: undefined }, 'title'],
  [{ body: undefined }, 'body'],
  [{ title: 'x'.repeat(201) }, 'title'],
  [{ body: ' ' }, 'body'],
  [{ slug: 'x'.repeat(161) }, 'slug'],
  [{ slug: '!!!' }, 'slug'],
  [{ slug: null }, 'slug'],
  [{ excerpt: 'x'.repeat(501) }, 'excerpt'],
  [{ coverImage: 'javascript:alert(1)' }, 'coverImage'],
  [{ coverImage: `https://a.id/${'x'.repeat(1000)}` }, 'coverImage'],
  [{ status: 'archived' }, 'status'],
  [{ publishedAt: 'yesterday' }, 'publishedAt'],
  [{ publishedAt: '0000-01-01T00:00:00Z' }, 'publishedAt'],
  [{ publishedAt: '2026-02-30T00:00:00Z' }, 'publishedAt'],
  [{ authorName: 'x'.repeat(101) }, 'authorName'],
  [{ tags: Array(21).fill('a') }, 'tags'],
  [{ tags: ['x'.repeat(41)] }, 'tags[0]'],
  [{ tags: null }, 'tags'],
  [{ metaTitle: 'x'.repeat(201) }, 'metaTitle'],
  [{ metaDescription: 'x'.repeat(501) }, 'metaDescription'],
  [{ marketingCampaignId: 'x'.repeat(65) }, 'marketingCampaignId'],
])('a post with %j is refused', async (wrong, param) => {
  const refused = await acme().post(POSTS, { title: 'A', body: 'b', ...wrong })
  expect(refusalOf(refused)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
})

test('a text of 200,000 characters is taken however it is escaped, one more is not', async () => {
  const long = '😀'.repeat(200_000)
  const escaped = JSON.stringify({ title: 'Panjang', body: long }).replaceAll('😀', '\\ud83d\\ude00')
  const answer = await acme().raw('POST', POSTS, escaped, { 'content-type': 'application/json' })
  expect([answer.status, answer.data?.post.body === long]).toEqual([201, true])
  expect(refusalOf(await acme().post(POSTS, { title: 'A', body: 'x'.repeat(200_001) }))).toEqual({
    status: 400,
    code: 'VALIDATION_ERROR',
    param: 'body',
  })
})

test('the list is newest first by status and in pages; long posts make shorter pages and none is lost', async () => {
  const shop = await marketer('Long')
  const body = 'x'.repeat(200_000)
  const ids: string[] = []
  for (let i = 0; i < 23; i += 1)
    ids.unshift((await made({ title: `P${i}`, body, status: i % 2 ? 'published' : 'draft' }, shop)).id)
  const first = await shop.get(`${POSTS}?limit=200`)
  expect([first.data.length, first.meta.hasMore]).toEqual([20, true])
  const rest = await shop.get(`${POSTS}?limit=200&cursor=${encodeURIComponent(first.meta.cursor)}`)
  expect(rest.meta).toMatchObject({ hasMore: false, cursor: null })
  expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(ids)
  const published = await shop.get(`${POSTS}?status=published&limit=2`)
  expect(published.data.map(({ id }: { id: string }) => id)).toEqual([ids[1], ids[3]])
  for (const [query, param] of [
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['cursor=x', 'cursor'],
    ['status=gone', 'status'],
  ])
    expect(refusalOf(await shop.get(`${POSTS}?${query}`))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      param,
    })
})

test('a deleted post is gone, and one of another workspace answers 404 to every verb', async () => {
  const { id } = await made({ title: 'Hapus' })
  const path = `${POSTS}/${id}`
  const foreign = [
    await globex().get(path),
    await globex().patch(path, { title: 'Mine' }),
    await globex().post(`${path}/publish`),
    await globex().post(`${path}/unpublish`),
    await globex().delete(path),
  ]
  expect(foreign.map(refusalOf)).toMatchObject(Array(5).fill({ status: 404, code: 'NOT_FOUND' }))
  expect((await acme().delete(path)).data).toEqual({ id, deleted: true })
  expect((await acme().delete(path)).status).toBe(404)
})
