import { PNG } from 'pngjs'
import { beforeAll, expect, test } from 'vitest'
import { rasterOf } from '../../../src/platform/print/image.ts'
import type { Api } from '../../support/api.ts'
import { describeInChromium } from '../../support/browser.ts'
import { makeSale } from '../../support/build.ts'
import { printedBy } from '../../support/escpos.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { GIF, jpegOf, pngOf } from '../../support/images.ts'
import { acme, globex, useService, workspace } from '../../support/service.ts'
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

test('a logo is an image of the workspace itself, of a type that is printed, and not too large', async () => {
  const jpeg = await upload(acme(), jpegOf(40, 20), 'image/jpeg')
  const gif = await upload(acme(), GIF, 'image/gif')
  const foreign = await upload(globex(), pngOf(4, 4))
  const unsent = await signUpload(acme())
  const large = pngOf(2001, 2000, () => false)
  const bad = [
    'https://elsewhere.example/logo.png',
    foreign.publicUrl,
    unsent.publicUrl,
    gif.publicUrl,
    `${jpeg.publicUrl}?x`,
    `https://elsewhere.example/${jpeg.key}`,
    (await upload(acme(), large)).publicUrl,
  ]
  for (const url of bad) {
    expect(refusalOf(await setLogo(acme(), url)), url).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'logoUrl',
    })
  }
  expect(done(await setLogo(acme(), jpeg.publicUrl)).settings.logoUrl).toBe(jpeg.publicUrl)
  expect(done(await acme().get('/settings')).settings.logoUrl).toBe(jpeg.publicUrl)
  expect(done(await setLogo(acme(), '')).settings.logoUrl).toBeNull()
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

test('a logo that cannot be read is left out, and the receipt is printed', async () => {
  const shop = await workspace()
  const { id } = await makeSale(shop)
  const broken = pngOf(20, 20).subarray(0, 60)
  await setLogo(shop, (await upload(shop, Buffer.from(broken))).publicUrl)
  const { images, lines } = await printed(shop, id, '80')
  expect([images, lines.length > 5]).toEqual([[], true])
})

test('a small file that unfolds into a large image is not read', async () => {
  const bomb = (width: number, height: number, interlaced: boolean) => {
    const bytes = PNG.sync.write(new PNG({ width: 2, height: 2 }))
    bytes.writeUInt32BE(width, 16)
    bytes.writeUInt32BE(height, 20)
    if (interlaced) bytes[28] = 1
    return bytes
  }
  await expect(rasterOf(bomb(60_000, 60_000, false), '80')).rejects.toThrow(/is not read/)
  await expect(rasterOf(bomb(100, 100, true), '80')).rejects.toThrow(/interlaced/)
  const jpeg = jpegOf(8, 8)
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  jpeg.writeUInt16BE(60_000, frame + 5)
  jpeg.writeUInt16BE(60_000, frame + 7)
  await expect(rasterOf(jpeg, '80')).rejects.toThrow(/maxResolutionInMP/)
})

test('half of the dots of a grey are black, and see-through is white', async () => {
  const png = new PNG({ width: 64, height: 64 })
  for (let at = 0; at < png.data.length; at += 4)
    png.data.set([128, 128, 128, at < png.data.length / 2 ? 255 : 0], at)
  const { bits, bytesAcross } = await rasterOf(PNG.sync.write(png), '58')
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
