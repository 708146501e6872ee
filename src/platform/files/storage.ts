import { createHash, randomUUID } from 'node:crypto'
import { open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { systemCode } from '../../core/fault.ts'
import { addressOf, type Config } from '../config/config.ts'
import { type OutgoingClient, type OutgoingRequest, openOutgoing } from '../outgoing/outgoing.ts'
import { makeDirectory, syncDirectory } from './directory.ts'
import { isNoSpace } from './free-space.ts'

/** Stores uploaded files under keys that the service creates. The file of a key never changes. */
export type Storage = {
  /** Stores the bytes completely or not at all; storing the same bytes again under the same key is harmless. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** Null if there is no such file. */
  get(key: string): Promise<Buffer | null>
  /** The file as a stream, at the pace of its reader; null if there is no such file. Read or destroy the stream. */
  open(key: string): Promise<StoredFile | null>
  remove(key: string): Promise<void>
  /** The public URL of the file. */
  publicUrl(key: string): string
  /** Removes partial files of processes that died while writing. */
  tidy(nowMs: number): Promise<void>
  close(): Promise<void>
}

/** `size` is null if the bucket does not say it. */
export type StoredFile = { size: number | null; stream: Readable }

/** The file could not be stored or read. `isFull`: the disk is full. */
export class StorageError extends Error {
  readonly isFull: boolean

  constructor(message: string, { cause, isFull = false }: { cause?: unknown; isFull?: boolean } = {}) {
    super(message, { cause })
    this.name = 'StorageError'
    this.isFull = isFull
  }
}

/** The path under which the service serves stored files. */
export const FILES = '/uploads'

/** An S3 bucket if one is configured, else a folder under DATA_DIR. */
export const openStorage = (config: Config): Storage =>
  config.s3Endpoint === null ? openFolder(config) : openBucket(config)

/** A live writer has finished by then. */
const LEFTOVER_MS = 3_600_000

function openFolder(config: Config): Storage {
  const root = path.resolve(config.dataDir, 'uploads')
  const parts = path.join(root, 'parts')
  const fileOf = (key: string) => path.join(root, ...key.split('/'))
  const failed = (error: unknown): never => {
    const code = systemCode(error)
    throw new StorageError(`The folder of uploads: ${code}`, { cause: error, isFull: isNoSpace(error) })
  }
  const write = async (part: string, bytes: Buffer) => {
    const file = await open(part, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
  }
  return {
    put: async (key, bytes) => {
      const part = path.join(parts, randomUUID())
      try {
        await makeDirectory(parts, 0o700)
        await makeDirectory(path.dirname(fileOf(key)), 0o700)
        await write(part, bytes)
        await rename(part, fileOf(key))
        await syncDirectory(path.dirname(fileOf(key)))
      } catch (error) {
        await unlink(part).catch(() => {})
        failed(error)
      }
    },
    get: async (key) => {
      try {
        return await readFile(fileOf(key))
      } catch (error) {
        return systemCode(error) === 'ENOENT' ? null : failed(error)
      }
    },
    open: async (key) => {
      const file = await open(fileOf(key)).catch((error: unknown) =>
        systemCode(error) === 'ENOENT' ? null : failed(error),
      )
      if (!file) return null
      try {
        const { size } = await file.stat()
        return { size, stream: file.createReadStream() }
      } catch (error) {
        await file.close()
        return failed(error)
      }
    },
    remove: async (key) => {
      await unlink(fileOf(key)).catch((error: unknown) => systemCode(error) === 'ENOENT' || failed(error))
    },
    publicUrl: (key) => `${addressOf(config)}${FILES}/${key}`,
    tidy: async (nowMs) => {
      for (const name of await readdir(parts).catch(() => [])) {
        const part = path.join(parts, name)
        const { mtimeMs } = await stat(part).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
        if (mtimeMs < nowMs - LEFTOVER_MS) await unlink(part).catch(() => {})
      }
    },
    close: async () => {},
  }
}

/** The time limit of one request to the bucket, including its body. */
const BUCKET_MS = 20_000
const MAX_FILE = 6 * 1024 * 1024

/**
 * A bucket of any service that speaks S3, by path (`https://host/bucket/key`). The service uploads the files itself,
 * so that it checks their bytes first. The bucket needs neither CORS rules nor an address that browsers can reach.
 */
function openBucket(config: Config): Storage {
  const { s3Endpoint, s3Bucket, s3Region, s3AccessKeyId, s3SecretAccessKey, s3PublicUrl } = config
  // The operator's own address may be in a private network.
  const outgoing: OutgoingClient = openOutgoing({ allowPrivate: true })
  const urlOf = (key: string) => `${s3Endpoint?.replace(/\/+$/, '')}/${s3Bucket}/${key}`
  const sign = async (method: 'GET' | 'PUT' | 'DELETE', key: string, body?: Buffer, type?: string) => {
    const { AwsV4Signer } = await import('aws4fetch')
    const signer = new AwsV4Signer({
      method,
      url: urlOf(key),
      accessKeyId: s3AccessKeyId ?? '',
      secretAccessKey: s3SecretAccessKey ?? '',
      region: s3Region,
      service: 's3',
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
      headers: {
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
        ...(type === undefined ? {} : { 'content-type': type, 'cache-control': CACHEABLE }),
      },
    })
    const signed = await signer.sign()
    const request: OutgoingRequest = {
      method,
      url: signed.url.toString(),
      headers: Object.fromEntries(signed.headers),
      ...(body === undefined ? {} : { body }),
      deadlineMs: BUCKET_MS,
      maxBytes: MAX_FILE,
    }
    return request
  }
  const unanswered = (error: unknown): never => {
    throw new StorageError('The bucket did not answer', { cause: error })
  }
  const send = async (...request: Parameters<typeof sign>) =>
    outgoing.send(await sign(...request)).catch(unanswered)
  const refused = (what: string, status: number): never => {
    throw new StorageError(`The bucket answered ${status} to ${what}`, { isFull: status === 507 })
  }
  return {
    put: async (key, bytes, contentType) => {
      const { status } = await send('PUT', key, bytes, contentType)
      if (status >= 300) refused('PUT', status)
    },
    get: async (key) => {
      const { status, body, isCut } = await send('GET', key)
      if (status === 404) return null
      return status >= 300 || isCut ? refused('GET', status) : body
    },
    open: async (key) => {
      const { status, headers, body } = await outgoing.open(await sign('GET', key)).catch(unanswered)
      const size = headers['content-length'] === undefined ? null : Number(headers['content-length'])
      if (status < 300 && (size ?? 0) <= MAX_FILE) return { size, stream: body }
      body.destroy()
      return status === 404 ? null : refused('GET', status)
    },
    remove: async (key) => {
      const { status } = await send('DELETE', key)
      if (status >= 300 && status !== 404) refused('DELETE', status)
    },
    publicUrl: (key) => `${s3PublicUrl?.replace(/\/+$/, '') ?? `${addressOf(config)}${FILES}`}/${key}`,
    tidy: async () => {},
    close: () => outgoing.close(),
  }
}

/** The file of a key never changes. */
export const CACHEABLE = 'public, max-age=31536000, immutable'
