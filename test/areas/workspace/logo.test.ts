import { PNG } from 'pngjs'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { rasterIn } from '../../../src/core/paper/image.ts'
import { render } from '../../../src/platform/images/render.ts'
import type { Api } from '../../support/api.ts'
import { describeInChromium } from '../../support/browser.ts'
import { makeSale } from '../../support/build.ts'
import { printedBy } from '../../support/escpos.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { GIF, jpegOf, pngOf } from '../../support/images.ts'
import { acme, deps, globex, useService, workspace } from '../../support/service.ts'
import { here, signUpload, upload } from '../../support/uploads.ts'

useService()

const setLogo = (api: Api, logoUrl: string | null) => api.put('/settings', { logoUrl })
const receipt = async (api: Api, id: string, query: string) => {
  const headers = { authorization: `Bearer ${api.workspace.key}` }
  const answer = await fetch(here(`http://x/api/v1/sales/${id}/receipt?${query}`), { headers })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { bytes, text: bytes.toString(), policy: answer.headers.get('content-security-policy') ?? '' }
}
const printed = async (api: Api, id: string, width: '58' | '80') =>
  printedBy((await receipt(api, id, `format=escpos&width=${width}`)).bytes)

let saleId = ''
beforeAll(async () => {
  saleId = (await makeSale(acme())).id
})

test('a logo is an image of any type that the workspace itself has uploaded', async () => {
  const jpeg = await upload(acme(), await jpegOf(40, 20), 'image/jpeg')
  const gif = await upload(acme(), GIF, 'image/gif')
  const foreign = await upload(globex(), pngOf(4, 4))
  const unsent = await signUpload(acme())
  const bad = [
    'https://elsewhere.example/logo.png',
    foreign.publicUrl,
    unsent.publicUrl,
    `${jpeg.publicUrl}?x`,
    `${jpeg.publicUrl}.thumbnail.webp`,
    `https://elsewhere.example/${jpeg.key}`,
  ]
  for (const url of bad) {
    expect(refusalOf(await setLogo(acme(), url)), url).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'logoUrl',
    })
  }
  const logoOf = (answer: { status: number; data: unknown }) => {
    const { settings } = done(answer as never)
    return [settings.logoUrl, settings.thumbnailUrl]
  }
  const thumbnailUrl = `${jpeg.publicUrl}.thumbnail.webp`
  expect(logoOf(await setLogo(acme(), jpeg.publicUrl))).toEqual([jpeg.publicUrl, thumbnailUrl])
  expect(logoOf(await acme().put('/settings', { logoUrl: jpeg.publicUrl, receiptThanks: 'x' }))).toEqual([
    jpeg.publicUrl,
    thumbnailUrl,
  ])
  expect(logoOf(await acme().get('/settings'))).toEqual([jpeg.publicUrl, thumbnailUrl])
  done(await setLogo(acme(), gif.publicUrl))
  expect(logoOf(await setLogo(acme(), ''))).toEqual([null, null])
  done(await acme().put('/settings', { receiptThanks: null }))
})

test('the page shows the logo above the name, and may load nothing else', async () => {
  const plain = await receipt(acme(), saleId, 'width=58')
  const text = await receipt(acme(), saleId, 'format=text')
  expect(plain.policy).not.toContain('img-src')
  const { publicUrl } = await upload(acme(), pngOf(600, 300))
  await setLogo(acme(), publicUrl)
  const page = await receipt(acme(), saleId, 'width=58')
  expect(page.text).toMatch(new RegExp(`<body>\\n<img src="${publicUrl}" alt="">\\n<p`))
  // 384 dots of eight in a millimetre, and half of that.
  expect(page.text).toContain('width:calc(48*var(--mm));height:calc(24*var(--mm))')
  expect(page.policy).toContain(`img-src ${new URL(publicUrl).origin}`)
  expect((await receipt(acme(), saleId, 'format=text')).text).toBe(text.text)
  await setLogo(acme(), null)
})

test.each([
  ['58', 48, 192],
  ['80', 72, 240],
] as const)(
  'paper of %s mm gets dots %i bytes across, the logo in the middle',
  async (width, across, rows) => {
    const { publicUrl } = await upload(
      acme(),
      pngOf(1000, 500, () => true),
    )
    await setLogo(acme(), publicUrl)
    const { images, lines } = await printed(acme(), saleId, width)
    const bits = Buffer.concat(images.map((image) => image.bits))
    expect(images.every((image) => image.across === across && image.bits.length <= 96 * across)).toBe(true)
    expect(bits.length).toBe(across * rows)
    const wide = rows * 2
    const left = (across * 8 - wide) / 2
    const row = bits.subarray(0, across)
    const dots = [...row].flatMap((byte) => Array.from({ length: 8 }, (_, n) => (byte >> (7 - n)) & 1))
    expect([dots.indexOf(1), dots.lastIndexOf(1)]).toEqual([left, left + wide - 1])
    expect(lines[0]?.text).not.toBe('')
    await setLogo(acme(), null)
  },
)

test.each([
  ['an interlaced PNG', 'image/png', () => sharp(pngOf(80, 40)).png({ progressive: true }).toBuffer()],
  ['a progressive JPEG', 'image/jpeg', () => sharp(pngOf(80, 40)).jpeg({ progressive: true }).toBuffer()],
  ['a WebP', 'image/webp', () => sharp(pngOf(80, 40)).webp().toBuffer()],
] as const)('%s is printed', async (_, type, make) => {
  const shop = await workspace()
  const { id } = await makeSale(shop)
  done(await setLogo(shop, (await upload(shop, await make(), type)).publicUrl))
  const { images } = await printed(shop, id, '58')
  expect(Buffer.concat(images.map(({ bits }) => bits)).length).toBe(48 * 40)
})

test('a photo that says which side is up is as high on the page and on paper as it looks', async () => {
  const shop = await workspace()
  const { id } = await makeSale(shop)
  const lying = await sharp(pngOf(160, 80)).jpeg().withMetadata({ orientation: 6 }).toBuffer()
  const { publicUrl } = await upload(shop, lying, 'image/jpeg')
  done(await setLogo(shop, publicUrl))
  const page = await receipt(shop, id, 'width=58')
  expect(page.text).toContain('width:calc(10*var(--mm));height:calc(20*var(--mm))')
  const { images } = await printed(shop, id, '58')
  expect(Buffer.concat(images.map(({ bits }) => bits)).length).toBe(48 * 160)
})

/** The upload as a version left it that decoded nothing when a file came. */
async function asStoredBefore(shop: Api, key: string, bytes: Buffer) {
  const { storage, pool } = deps()
  for (const ending of ['.dots', '.thumbnail.webp']) await storage.remove(key + ending)
  await storage.put(key, bytes, 'image/png')
  await pool.query(
    'update uploads set rendered_at = null, width = 9, height = 9 where account_id = $1 and key = $2',
    [shop.workspace.accountId, key],
  )
}

test('a logo from before images were decoded when they came is decoded by the first receipt', async () => {
  const shop = await workspace()
  const { id } = await makeSale(shop)
  const bytes = pngOf(80, 40)
  const { key, publicUrl } = await upload(shop, bytes)
  done(await setLogo(shop, publicUrl))
  await asStoredBefore(shop, key, bytes)
  const { images } = await printed(shop, id, '58')
  expect(Buffer.concat(images.map(({ bits }) => bits)).length).toBe(48 * 40)
  expect((await deps().storage.get(`${key}.dots`))?.length).toBe((48 + 72) * 40)
})

test('a logo from before that cannot be decoded is left out of every receipt, and decoded once', async () => {
  const shop = await workspace()
  const { id } = await makeSale(shop)
  const bytes = pngOf(20, 20)
  const { key, publicUrl } = await upload(shop, bytes)
  done(await setLogo(shop, publicUrl))
  await asStoredBefore(shop, key, bytes.subarray(0, 60))
  const { images, lines } = await printed(shop, id, '80')
  expect([images, lines.length > 5]).toEqual([[], true])
  // Whole again, it would be printed if it were decoded again.
  await deps().storage.put(key, bytes, 'image/png')
  expect((await printed(shop, id, '80')).images).toEqual([])
  done(await setLogo(shop, null))
  const again = await setLogo(shop, publicUrl)
  expect(refusalOf(again)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'logoUrl' })
  expect(again.error.message).toMatch(/damaged or cut off/)
})

test('half of the dots of a grey are black, and see-through is white', async () => {
  const png = new PNG({ width: 64, height: 64 })
  for (let at = 0; at < png.data.length; at += 4)
    png.data.set([128, 128, 128, at < png.data.length / 2 ? 255 : 0], at)
  const { dots } = await render(PNG.sync.write(png))
  const { bits, bytesAcross } = rasterIn(dots, png, '58')
  const black = (from: number, to: number) =>
    [...bits.subarray(from * bytesAcross, to * bytesAcross)].reduce(
      (n, byte) => n + byte.toString(2).replaceAll('0', '').length,
      0,
    )
  expect(Math.abs(black(0, 32) - 32 * 32)).toBeLessThan(60)
  expect(black(34, 64)).toBe(0)
})

describeInChromium('a receipt with a logo in a browser', (browser) => {
  test.each([
    ['58', 48],
    ['80', 60],
  ] as const)(
    'on paper of %s mm the logo is loaded under the page policy, is %i mm wide, and nothing sticks out',
    async (width, wide) => {
      const shop = await workspace()
      const image = pngOf(1200, 600)
      const { publicUrl } = await upload(shop, image)
      done(await shop.put('/settings', { logoUrl: publicUrl, businessName: 'Warung'.repeat(20) }))
      const { id } = await makeSale(shop)
      const { text, policy } = await receipt(shop, id, `width=${width}`)
      const context = await browser().newContext({ viewport: { width: 600, height: 900 } })
      try {
        const page = await context.newPage()
        const origin = new URL(publicUrl).origin
        await page.route('**/*', (route) =>
          route.request().url() === publicUrl
            ? route.fulfill({ contentType: 'image/png', body: image })
            : route.fulfill({
                contentType: 'text/html',
                body: text,
                headers: { 'content-security-policy': policy },
              }),
        )
        await page.goto(`${origin}/receipt`)
        const seen = await page.evaluate(`(() => {
        const image = document.querySelector('img').getBoundingClientRect()
        const body = document.body.getBoundingClientRect()
        return { natural: document.querySelector('img').naturalWidth, share: image.width / body.width,
          ratio: image.width / image.height, over: document.body.scrollWidth - document.body.clientWidth,
          middle: (image.left + image.right) / 2 - (body.left + body.right) / 2 }
      })()`)
        expect(seen).toEqual({
          natural: 1200,
          share: expect.closeTo(wide / Number(width), 2),
          ratio: expect.closeTo(2, 2),
          over: 0,
          middle: expect.closeTo(0, 0),
        })
        await page.screenshot({ path: `.tmp/pictures/receipt-logo-${width}.png`, fullPage: true })
      } finally {
        await context.close()
      }
    },
  )
})
