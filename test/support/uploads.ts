import type { Api } from './api.ts'
import { done } from './expect.ts'
import { address } from './service.ts'

export type Signed = { key: string; url: string; publicUrl: string; contentType: string }

export const signUpload = async (api: Api, contentType = 'image/png'): Promise<Signed> =>
  done(await api.post('/uploads/sign', { contentType }))

/** The same path at the service of this test, which listens on a port of its own. */
export const here = (url: string) => address() + url.slice(new URL(url).origin.length)

export async function put(
  url: string,
  bytes: Buffer | ReadableStream,
  contentType: string | null = 'image/png',
  more: RequestInit = {},
) {
  const headers = contentType === null ? {} : { 'content-type': contentType }
  const answer = await fetch(here(url), { method: 'PUT', body: bytes as never, headers, ...more })
  // oxlint-disable-next-line typescript/no-explicit-any -- as `data` of every answer of a test
  const body = (await answer.json()) as any
  return { status: answer.status, data: body.data, error: body.error }
}

/** An image that is kept; answers where anybody reads it. */
export async function upload(api: Api, bytes: Buffer, contentType = 'image/png'): Promise<Signed> {
  const signed = await signUpload(api, contentType)
  const { status, error } = await put(signed.url, bytes, contentType)
  if (status !== 200) throw new Error(`no image was kept: ${JSON.stringify(error)}`)
  return signed
}
