import { newUlid } from 'kasir/partner-tools'

/** Every id of a partner is a prefix, an underscore and an upper-case ULID. */
export const idWith = (prefix: string) => `${prefix}_${newUlid()}`
