export type { Answer, CallOptions, Meta } from './call.ts'
export { type ClientOptions, type Connection, connect } from './connection.ts'
export type { CodeOf, ErrorCode } from './error-codes.ts'
export {
  type Details,
  isKasirError,
  KasirApiError,
  type KasirError,
  KasirTransportError,
  KasirUsageError,
  type TransportFault,
} from './errors.ts'
export * from './generated/operations.ts'
export type * from './generated/types.gen.ts'
export { createKasir, type Kasir } from './kasir.ts'
export { type Change, type LiveOptions, live } from './live.ts'
export type { Operation } from './operation.ts'
