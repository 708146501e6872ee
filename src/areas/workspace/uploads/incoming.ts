import type { Readable } from 'node:stream'
import { ApiError, malformed } from '../../../core/errors.ts'
import { MAX_BYTES } from './rules.ts'

const MIB = 1024 * 1024
/** Bytes of all uploads in the memory of this process. */
const MAX_HELD = 128 * MIB
/** Concurrent uploads per workspace. */
const MAX_OF_WORKSPACE = 8

export const tooLargeError = () => new ApiError('PAYLOAD_TOO_LARGE', 'An image can have at most 5 MiB')
export const busy = () =>
  new ApiError(
    'SERVICE_UNAVAILABLE',
    'The service is receiving too many images at the moment; send this one again',
    {
      headers: { 'retry-after': '1' },
    },
  )

type Upload = { accountId: string; length: number; isWhole: boolean; cutOff(error: ApiError): void }

/**
 * Limits the memory of uploads. A slow sender occupies only the bytes it has sent. When all memory is in use, the
 * workspace that uses most loses an unfinished upload with 503.
 */
export function incomingUploads({ maxHeld = MAX_HELD } = {}) {
  const uploads = new Set<Upload>()
  const held = (accountId?: string) =>
    [...uploads].reduce(
      (sum, upload) => sum + (accountId === undefined || upload.accountId === accountId ? upload.length : 0),
      0,
    )
  const largestOf = (some: Upload[], size: (upload: Upload) => number) =>
    some.reduce((largest, upload) => (size(upload) > size(largest) ? upload : largest))

  const makeRoom = () => {
    while (held() > maxHeld) {
      const unfinished = [...uploads].filter(({ isWhole }) => !isWhole)
      const { accountId } = largestOf(unfinished, (upload) => held(upload.accountId))
      const own = unfinished.filter((upload) => upload.accountId === accountId)
      const victim = largestOf(own, ({ length }) => length)
      uploads.delete(victim)
      victim.cutOff(busy())
    }
  }

  const read = async (upload: Upload, body: Readable): Promise<Buffer> => {
    const chunks: Buffer[] = []
    // Leaving the loop must not close the connection, which still sends the error.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      // The rest of the body is read and dropped, so that the sender receives the answer.
      if (!uploads.has(upload)) {
        chunks.length = 0
        continue
      }
      upload.length += chunk.length
      if (upload.length > MAX_BYTES) throw tooLargeError()
      chunks.push(chunk)
      makeRoom()
    }
    upload.isWhole = true
    return Buffer.concat(chunks)
  }

  /** Reads a body of at most 5 MiB, then runs `work` with it. Does not run `work` if the body ends early. */
  return async <T>(
    accountId: string,
    { body, announced }: { body: Readable | undefined; announced: string | undefined },
    work: (bytes: Buffer) => Promise<T>,
  ): Promise<T> => {
    if ([...uploads].filter((upload) => upload.accountId === accountId).length >= MAX_OF_WORKSPACE)
      throw busy()
    if (Number(announced) > MAX_BYTES) throw tooLargeError()
    const upload: Upload = { accountId, length: 0, isWhole: false, cutOff: () => {} }
    const cut = new Promise<never>((_resolve, reject) => {
      upload.cutOff = reject
    })
    uploads.add(upload)
    try {
      const bytes = body === undefined ? Buffer.alloc(0) : await Promise.race([read(upload, body), cut])
      if (bytes.length === 0) throw malformed('body', 'The file is empty')
      return await work(bytes)
    } finally {
      uploads.delete(upload)
    }
  }
}
