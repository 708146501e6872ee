import type { Logger } from 'pino'
import { ApiError } from '../../core/errors.ts'
import { fairPlaces } from '../db/places.ts'
import { type Decoder, DecoderError, openDecoder } from './decoder.ts'
import type { Rendition } from './render.ts'

/** `refusal` says why the image cannot be used, for the person who sent it. */
export type RenderResult = { rendition: Rendition; refusal?: never } | { rendition?: never; refusal: string }

/** Decodes images outside the event loop. Workspaces take turns, so a long queue delays only its own workspace. */
export type Images = {
  /** Throws 503 if the image could not be checked. */
  render(accountId: string, bytes: Buffer): Promise<RenderResult>
  close(): Promise<void>
}

/** Longer than the images of several other workspaces take, shorter than the timeout of a client. */
const WAIT_MS = 30_000

const AGAIN = 'and upload the new file'
const REFUSALS = {
  pixels: `The image has more than 40 megapixels. Make it smaller ${AGAIN}`,
  time: `The image takes more than 2 seconds to decode. Make it smaller, or save it as a plain PNG or JPEG, ${AGAIN}`,
  memory: `The image takes more than 64 MiB to decode. Make it smaller, or save it as a plain PNG or JPEG, ${AGAIN}`,
  damaged: `The image is damaged or cut off and cannot be decoded. Save it again ${AGAIN}`,
}

const unavailable = (cause: unknown) =>
  new ApiError('SERVICE_UNAVAILABLE', 'Images cannot be decoded at the moment; send this one again', {
    cause,
    headers: { 'retry-after': '5' },
  })

export function openImages({
  log,
  decoder = openDecoder(),
}: {
  log: Pick<Logger, 'error'>
  decoder?: Decoder
}): Images {
  const turns = fairPlaces({ places: 1, waitMs: WAIT_MS })
  const decode = async (bytes: Buffer) => {
    try {
      return await decoder.decode(bytes)
    } catch (error) {
      if (!(error instanceof DecoderError)) throw error
      log.error({ err: error }, 'the process that decodes images failed')
      throw unavailable(error)
    }
  }
  return {
    render: async (accountId, bytes) => {
      const decoded = await turns.within(accountId, () => decode(bytes))
      return decoded.kind === 'rendered'
        ? { rendition: decoded.rendition }
        : { refusal: REFUSALS[decoded.why] }
    },
    close: () => decoder.close(),
  }
}
