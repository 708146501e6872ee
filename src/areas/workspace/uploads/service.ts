import { createHash } from 'node:crypto'
import { ApiError, conflict, forbidden, invalid, malformed, notFound } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { isSameText } from '../../../core/same-text.ts'
import { addMs, msBetween } from '../../../core/time.ts'
import { accountOfClaim } from '../../../platform/auth/tokens.ts'
import { addressOf } from '../../../platform/config.ts'
import type { Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { AccountId, Scope } from '../../../platform/scope.ts'
import { FILES, StorageError } from '../../../platform/storage.ts'
import {
  endingOf,
  foundIn,
  IMAGE_TYPES,
  type ImageType,
  imageTypeOf,
  KEY,
  keyOf,
  keysIn,
  MAX_BYTES,
  SIGNED_MS,
  SIGNED_PER_MINUTE,
  whyNoLogo,
} from './rules.ts'
import type { SignedUpload, UploadSign } from './schema.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

const MIB = 1024 * 1024

/** An address that takes one image of this type, once (B-upload-1). */
export async function signUpload(deps: Deps, tx: Tx, scope: Scope, input: UploadSign): Promise<SignedUpload> {
  const contentType = imageTypeOf(input.contentType)
  if (!contentType) {
    const known = Object.keys(IMAGE_TYPES).join(', ')
    throw malformed('contentType', `Only images can be uploaded: ${known}`)
  }
  const ending = endingOf(contentType, input.ext)
  if (ending === null) {
    throw malformed('ext', `A file of ${contentType} ends with ${IMAGE_TYPES[contentType].join(' or ')}`)
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
  throw new ApiError('RATE_LIMITED', `${SIGNED_PER_MINUTE} uploads a minute are signed; wait ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  })
}

/** What was signed and not sent yet counts as if it were as large as may be, so nobody gets past the limit at once. */
async function requireRoom({ config }: Deps, tx: Tx, scope: Scope) {
  const limit = config.uploadsMaxMb * MIB
  if (limit === 0) return
  const { bytes, pending } = await store.usedBy(tx, scope, addMs(scope.now, -SIGNED_MS))
  if (bytes + (pending + 1) * MAX_BYTES <= limit) return
  throw new ApiError(
    'LIMIT_REACHED',
    `This workspace may keep ${config.uploadsMaxMb} MB of images, and ${Math.ceil(bytes / MIB)} MB are in use; images that nothing names any more go after a week`,
    { param: 'uploads' },
  )
}

type Signed = { key: string; contentType: string; expires: string }
const PURPOSE = 'upload'
const textOf = ({ key, contentType, expires }: Signed) => `PUT\n${key}\n${contentType}\n${expires}`

export type Sent = { key: string; contentType: string; expires: unknown; signature: unknown; now: string }
/** Proved to be what was signed, by whom and for what. */
export type Ticket = { accountId: AccountId; key: string; contentType: ImageType }

/** 403 for an address that was not signed like this, or is too old; 400 for another Content-Type than was signed. */
export function ticketOf(deps: Deps, { key, contentType, expires, signature, now }: Sent): Ticket {
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

/** Keeps the bytes that came for an address (B-upload-2). The same bytes again are no fault, others are 409. */
export async function keepUpload(deps: Deps, ticket: Ticket, bytes: Buffer) {
  const { db, storage, clock } = deps
  const { key, contentType } = ticket
  const found = foundIn(bytes)
  if (found?.type !== contentType) {
    const what = found ? `is ${found.type}` : 'is no image of a kind that can be uploaded'
    throw malformed('body', `The file was announced as ${contentType}, but ${what}`)
  }
  const sha256 = createHash('sha256').update(bytes).digest('base64url')
  const { width, height } = found
  if (!(await store.claim(db, ticket, key, { size: bytes.length, sha256, width, height }))) {
    if (await store.findByKey(db, ticket, key))
      throw conflict('Another file was sent to this address; sign a new one')
    throw notFound('upload')
  }
  await storage.put(key, bytes, contentType).catch((error: unknown) => {
    throw unstored(deps, error)
  })
  await store.markStored(db, ticket, key, clock.now())
  return { key, publicUrl: storage.publicUrl(key), contentType, size: bytes.length }
}

/** What the storage did not do is a matter for the operator; the caller may try again. */
export function unstored({ log }: Pick<Deps, 'log'>, error: unknown): unknown {
  if (!(error instanceof StorageError)) return error
  log.error({ err: error }, error.isFull ? 'the storage of uploads is full' : 'the storage of uploads failed')
  const message = error.isFull
    ? 'There is no room left for images on this installation; tell whoever runs it'
    : 'The storage of images does not work at the moment; try again'
  return new ApiError('SERVICE_UNAVAILABLE', message, { cause: error, headers: { 'retry-after': '5' } })
}

/**
 * Whoever writes a text that may name images calls this in the same transaction: none of them is removed before it ends.
 * One that is gone already is no fault; a text may name any address.
 */
export async function keepNamed(
  tx: Tx,
  scope: Scope,
  texts: readonly (string | null | undefined)[],
): Promise<void> {
  const keys = texts.flatMap((text) => keysIn(text ?? ''))
  if (keys.length > 0) await statements.keep(tx, scope.accountId, keys)
}

/** 422 unless the address is that of an image of this workspace that can head its receipts. */
export async function requireLogo(deps: Deps, tx: Tx, scope: Scope, url: string): Promise<void> {
  await keepNamed(tx, scope, [url])
  const key = keyIn(url)
  const found = key === null ? undefined : await store.findByKey(tx, scope, key)
  if (!key || !found?.storedAt || deps.storage.publicUrl(key) !== url) {
    throw invalid('logoUrl', 'The logo must be an image that was uploaded here: the publicUrl of its upload')
  }
  const why = whyNoLogo(found)
  if (why !== null) throw invalid('logoUrl', why)
}

/** The key of an image of the workspace that an address ends with. */
export const keyIn = (url: string): string | null =>
  KEY.exec(url.slice(Math.max(0, url.indexOf('acc/acc_'))))?.[0] ?? null
