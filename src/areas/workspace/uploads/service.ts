import { createHash } from 'node:crypto'
import { ApiError, conflict, forbidden, invalid, malformed, notFound } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { isSameText } from '../../../core/same-text.ts'
import { addMs, msBetween } from '../../../core/time.ts'
import { accountOfClaim } from '../../../platform/auth/tokens.ts'
import { addressOf } from '../../../platform/config/config.ts'
import type { Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { FILES, StorageError } from '../../../platform/files/storage.ts'
import type { Rendition } from '../../../platform/images/render.ts'
import type { AccountId, Scope } from '../../../platform/scope.ts'
import {
  dotsKeyOf,
  endingOf,
  IMAGE_TYPES,
  type ImageType,
  imageTypeOf,
  KEY,
  keyOf,
  keysIn,
  MAX_BYTES,
  SIGNED_MS,
  SIGNED_PER_MINUTE,
  THUMBNAIL_ENDING,
  thumbnailKeyOf,
  typeOfBytes,
} from './rules.ts'
import type { SignedUpload, UploadSign } from './schema.ts'
import type { StoredImage } from './statements.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

const MIB = 1024 * 1024

/** Signs an address that accepts one image of this type, once (B-upload-1). */
export async function signUpload(deps: Deps, tx: Tx, scope: Scope, input: UploadSign): Promise<SignedUpload> {
  const contentType = imageTypeOf(input.contentType)
  if (!contentType) {
    const known = Object.keys(IMAGE_TYPES).join(', ')
    throw malformed('contentType', `Only images can be uploaded: ${known}`)
  }
  const ending = endingOf(contentType, input.ext)
  if (ending === null) {
    throw malformed(
      'ext',
      `The extension of a file of type ${contentType} is ${IMAGE_TYPES[contentType].join(' or ')}`,
    )
  }
  await store.lockAccount(tx, scope)
  await requireRate(tx, scope)
  await requireRoom(deps, tx, scope)
  const id = newId('upload')
  const key = keyOf(scope.accountId, id.slice('upl_'.length), ending)
  await store.insert(tx, scope, { id, key, contentType })
  const expires = addMs(scope.now, SIGNED_MS)
  const signature = deps.secrets.sign(PURPOSE, textOf({ key, contentType, expires }))
  return {
    key,
    url: `${addressOf(deps.config)}${FILES}/${key}?expires=${encodeURIComponent(expires)}&signature=${signature}`,
    publicUrl: deps.storage.publicUrl(key),
    contentType,
  }
}

async function requireRate(tx: Tx, scope: Scope) {
  const first = await store.nthLastSigned(tx, scope, SIGNED_PER_MINUTE, addMs(scope.now, -60_000))
  if (!first) return
  const seconds = Math.max(1, Math.ceil((60_000 - msBetween(first.createdAt, scope.now)) / 1000))
  throw new ApiError(
    'RATE_LIMITED',
    `At most ${SIGNED_PER_MINUTE} uploads per minute are allowed; wait ${seconds} s`,
    {
      headers: { 'retry-after': String(seconds) },
    },
  )
}

/**
 * A signed upload counts with the largest size until it is sent, so that concurrent uploads cannot exceed the limit.
 */
async function requireRoom({ config }: Deps, tx: Tx, scope: Scope) {
  const limit = config.uploadsMaxMb * MIB
  if (limit === 0) return
  const { bytes, pending } = await store.usedBy(tx, scope, addMs(scope.now, -SIGNED_MS))
  if (bytes + (pending + 1) * MAX_BYTES <= limit) return
  throw new ApiError(
    'LIMIT_REACHED',
    `This workspace uses ${Math.ceil(bytes / MIB)} MB of its ${config.uploadsMaxMb} MB for images. Remove images from products or posts; unused images are deleted after a week`,
    { param: 'uploads' },
  )
}

type UploadSignature = { key: string; contentType: string; expires: string }
const PURPOSE = 'upload'
const textOf = ({ key, contentType, expires }: UploadSignature) => `PUT\n${key}\n${contentType}\n${expires}`

export type UploadRequest = {
  key: string
  contentType: string
  expires: unknown
  signature: unknown
  now: string
}
/** A verified upload: the workspace, the key and the type that were signed. */
export type UploadTicket = { accountId: AccountId; key: string; contentType: ImageType }

/**
 * Verifies a signed address. Throws 403 for an invalid signature or an expired address, and 400 for another
 * Content-Type than the signed one.
 */
export function ticketOf(
  deps: Deps,
  { key, contentType, expires, signature, now }: UploadRequest,
): UploadTicket {
  const accountId = accountOfClaim(KEY.exec(key)?.[1] ?? '')
  const known = accountId && typeof expires === 'string' && typeof signature === 'string'
  const type = imageTypeOf(contentType)
  const signedAs = (one: string) =>
    known &&
    deps.secrets
      .signatures(PURPOSE, textOf({ key, contentType: one, expires }))
      .some((real) => isSameText(signature, real))
  if (!known || !Object.keys(IMAGE_TYPES).some(signedAs)) {
    throw forbidden('This is not an address that the service signed; get one from POST /uploads/sign')
  }
  if (expires <= now) {
    throw forbidden('This address worked for 15 minutes; get a new one from POST /uploads/sign')
  }
  if (!type || !signedAs(type)) {
    throw malformed('content-type', 'Send the file with the Content-Type that its address was signed for')
  }
  return { accountId, key, contentType: type }
}

/** Stores the bytes of an upload (B-upload-2). A repeated upload of the same bytes succeeds; other bytes are 409. */
export async function storeUpload(deps: Deps, ticket: UploadTicket, bytes: Buffer) {
  const { db, storage, clock } = deps
  const { key, contentType } = ticket
  const type = typeOfBytes(bytes)
  if (type !== contentType) {
    const what = type ? `is ${type}` : 'is not a supported image'
    throw malformed('body', `The file was announced as ${contentType}, but ${what}`)
  }
  const sha256 = createHash('sha256').update(bytes).digest('base64url')
  const stored = { key, publicUrl: storage.publicUrl(key), contentType, size: bytes.length }
  const before = await store.findByKey(db, ticket, key)
  if (!before) throw notFound('upload')
  if (before.sha256 !== null && before.sha256 !== sha256) throw takenError()
  if (before.storedAt) return stored
  if (before.refusal !== null && before.refusedSha256 === sha256) throw invalid('body', before.refusal)
  const { rendition, refusal } = await deps.images.render(ticket.accountId, bytes)
  if (refusal !== undefined) {
    await store.markRefused(db, ticket, { key, refusedSha256: sha256, refusal })
    throw invalid('body', refusal)
  }
  const { width, height } = rendition
  if (!(await store.claim(db, ticket, key, { size: bytes.length, sha256, width, height }))) throw takenError()
  try {
    await storage.put(key, bytes, contentType)
    await storeRendition(deps, key, rendition)
  } catch (error) {
    throw unstored(deps, error)
  }
  await store.markStored(db, ticket, key, clock.now())
  // If this process was paused for an hour, the job may have removed the row.
  if (!(await store.findByKey(db, ticket, key))) {
    await removeFiles(deps, key)
    throw notFound('upload')
  }
  return stored
}

const takenError = () => conflict('Another file was already sent to this address; sign a new address')

async function storeRendition({ storage }: Deps, key: string, { thumbnail, dots }: Rendition) {
  await storage.put(thumbnailKeyOf(key), thumbnail, 'image/webp')
  await storage.put(dotsKeyOf(key), dots, 'application/octet-stream')
}

/** Removes an image and the files derived from it. */
export async function removeFiles({ storage }: Deps, key: string) {
  for (const one of [dotsKeyOf(key), thumbnailKeyOf(key), key]) await storage.remove(one)
}

/**
 * Decodes an image that was stored before uploads were decoded on arrival. Records a failure, so that it is not tried
 * again.
 */
export async function renderStored(
  deps: Deps,
  accountId: AccountId,
  { key, sha256 }: StoredImage,
): Promise<void> {
  const { db, storage, images, clock } = deps
  const bytes = await storage.get(key)
  if (!bytes || sha256 === null) return
  const { rendition, refusal } = await images.render(accountId, bytes)
  if (refusal !== undefined) {
    await store.markRefused(db, { accountId }, { key, refusedSha256: sha256, refusal })
    return
  }
  await storeRendition(deps, key, rendition)
  const { width, height } = rendition
  await statements.nameThumbnails(db, accountId, key)
  if (!(await store.markRendered(db, { accountId }, { key, size: { width, height }, now: clock.now() }))) {
    await removeFiles(deps, key)
    return
  }
  // Adds the thumbnail to records that named the image in transactions for which `markRendered` waited.
  await statements.nameThumbnails(db, accountId, key)
}

/** Logs a failure of the storage for the operator. The caller can retry. */
export function unstored({ log }: Pick<Deps, 'log'>, error: unknown): unknown {
  if (!(error instanceof StorageError)) return error
  log.error({ err: error }, error.isFull ? 'the storage of uploads is full' : 'the storage of uploads failed')
  const message = error.isFull
    ? 'No space left for images. Ask your administrator to free some, then send the image again'
    : 'Images cannot be stored at the moment; try again later'
  return new ApiError('SERVICE_UNAVAILABLE', message, { cause: error, headers: { 'retry-after': '5' } })
}

/** Returns the address of the thumbnail for the address of an image, or null if it has none. */
type ThumbnailLookup = (url: string | null) => string | null

/**
 * Call it in the transaction that writes a text which can name images, so that none of them is removed before it
 * commits. A missing image is no error, because a text can contain any address. The clean-up job searches these
 * texts.
 */
export async function keepReferenced(
  tx: Tx,
  scope: Scope,
  texts: readonly (string | null | undefined)[],
): Promise<ThumbnailLookup> {
  const keys = texts.flatMap((text) => keysIn(text ?? ''))
  const rendered = new Set(keys.length > 0 ? await statements.keep(tx, scope.accountId, keys) : [])
  return (url) => (url !== null && rendered.has(keyIn(url) ?? '') ? url + THUMBNAIL_ENDING : null)
}

/**
 * Checks the address of a logo and returns the address of its thumbnail. Throws 422 unless it is an image of this
 * workspace that can be printed.
 */
export async function requireLogo(deps: Deps, tx: Tx, scope: Scope, url: string): Promise<string | null> {
  const thumbnailOf = await keepReferenced(tx, scope, [url])
  const key = keyIn(url)
  const found = key === null ? undefined : await store.findByKey(tx, scope, key)
  if (!key || !found?.storedAt || deps.storage.publicUrl(key) !== url) {
    throw invalid(
      'logoUrl',
      'The logo must be an uploaded image of this workspace; send the publicUrl of its upload',
    )
  }
  if (found.refusal !== null) throw invalid('logoUrl', found.refusal)
  return thumbnailOf(url)
}

/** Returns the key at the end of an address, or null. */
export const keyIn = (url: string): string | null =>
  KEY.exec(url.slice(Math.max(0, url.indexOf('acc/acc_'))))?.[0] ?? null
