import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../core/errors.ts'
import type { Deps } from '../deps.ts'

/** A notification as received: its signature covers exactly these bytes, not the parsed JSON. */
export type VerifiableNotice = { deps: Deps; rawBody: Buffer; headers: IncomingHttpHeaders; now: string }
/** Whether the notification has a valid signature of the partner; a missing one is invalid. */
export type Verify = (notice: VerifiableNotice) => boolean | Promise<boolean>

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface FastifyContextConfig {
    /** Throws 401 unless the signature of these bytes is valid; runs before they are parsed. */
    verifies?: ((request: FastifyRequest, rawBody: Buffer) => Promise<void>) | undefined
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface FastifyRequest {
    isSigned: boolean
  }
}

export const verifierOf =
  (deps: Deps, verify: Verify) => async (request: FastifyRequest, rawBody: Buffer) => {
    const { headers, now } = request
    if (!(await verify({ deps, rawBody, headers, now }))) throw wrongSignature()
    request.isSigned = true
  }

/** A request without a body reaches no parser, so its empty body is verified here. */
export async function requireSigned(request: FastifyRequest) {
  if (!request.isSigned) await request.routeOptions.config.verifies?.(request, Buffer.alloc(0))
}

const wrongSignature = () =>
  new ApiError('INVALID_SIGNATURE', 'The signature of this notice is missing or does not match its body')
