import { execFileSync } from 'node:child_process'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { openDecoder } from '../../src/platform/images/decoder.ts'
import { openImages } from '../../src/platform/images/images.ts'
import { makeLog } from '../../src/platform/log/log.ts'
import { jpegOf, jpegOfScans, pngOf, pngOfZeros } from '../support/images.ts'

const decoder = openDecoder()
afterAll(() => decoder.close())

const GOOD = pngOf(400, 200)
const decodersOfThisProcess = () => {
  try {
    return execFileSync('pgrep', ['-P', String(process.pid), '-f', 'decoder-process'], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number)
  } catch {
    return []
  }
}
const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#777' } })

test.each([
  ['a JPEG that is cut off', 'damaged', async () => (await jpegOf(400, 200)).subarray(0, 1_500)],
  ['a PNG that is cut off', 'damaged', () => GOOD.subarray(0, 400)],
  ['a PNG with two headers', 'damaged', () => pngOfZeros(8, 8, { width: 6_000, height: 6_000 })],
  ['a page', 'damaged', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['a picture in a format that is not uploaded', 'damaged', () => flat(9, 9).tiff().toBuffer()],
  ['a PNG of 100 megapixels', 'pixels', () => pngOfZeros(10_000, 10_000)],
  ['a progressive JPEG of 40 megapixels', 'memory', () => jpegOfScans(8_000, 5_000, 1)],
  ['a GIF of 36 megapixels', 'memory', () => flat(6_000, 6_000).gif({ effort: 1 }).toBuffer()],
] as const)('%s is refused (%s), and the next image is decoded', async (_, why, make) => {
  expect(await decoder.decode(await make())).toEqual({ kind: 'refused', why })
  expect(await decoder.decode(GOOD)).toMatchObject({ kind: 'rendered', rendition: { width: 400 } })
})

test('a file that takes longer than it may is refused, and the next image is decoded', async () => {
  const hasty = openDecoder({ cpuMs: 1_000 })
  try {
    expect(await hasty.decode(jpegOfScans(6_000, 4_000, 880))).toEqual({ kind: 'refused', why: 'time' })
    expect(await hasty.decode(GOOD)).toMatchObject({ kind: 'rendered' })
  } finally {
    await hasty.close()
  }
})

test('an image is decoded although its process was killed once', async () => {
  const own = openDecoder()
  const others = decodersOfThisProcess()
  try {
    await own.decode(GOOD)
    const [pid = 0] = decodersOfThisProcess().filter((one) => !others.includes(one))
    const decoding = own.decode(jpegOfScans(6_000, 4_000, 90))
    process.kill(pid, 'SIGKILL')
    expect(await decoding).toMatchObject({ kind: 'rendered', rendition: { width: 6_000, height: 4_000 } })
  } finally {
    await own.close()
  }
})

test('no process that decodes is left once the service has stopped', async () => {
  const before = decodersOfThisProcess()
  const own = openDecoder()
  await own.decode(GOOD)
  const mine = decodersOfThisProcess().filter((one) => !before.includes(one))
  expect(mine.length).toBe(1)
  await own.close()
  await expect.poll(() => decodersOfThisProcess().filter((one) => mine.includes(one))).toEqual([])
})

test('a workspace with many images delays another by one of them at most', async () => {
  const images = openImages({ log: makeLog('fatal'), decoder })
  const order: string[] = []
  const decode = (accountId: string) => images.render(accountId, GOOD).then(() => order.push(accountId))
  await Promise.all([...Array.from({ length: 6 }, () => decode('many')), decode('one')])
  expect(order.indexOf('one')).toBeLessThanOrEqual(2)
})

test('a thumbnail is a WebP of at most 320 pixels, the right way up, and no larger than the image', async () => {
  const lying = await sharp(pngOf(1_000, 500)).jpeg().withMetadata({ orientation: 6 }).toBuffer()
  for (const [bytes, width, height] of [
    [pngOf(1_000, 500), 320, 160],
    [lying, 160, 320],
    [pngOf(20, 10), 20, 10],
  ] as const) {
    const decoded = await decoder.decode(bytes)
    if (decoded.kind !== 'rendered') throw new Error(decoded.why)
    expect(await sharp(decoded.rendition.thumbnail).metadata()).toMatchObject({
      format: 'webp',
      width,
      height,
    })
  }
})
