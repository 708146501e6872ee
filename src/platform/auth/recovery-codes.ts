import { randomBytes } from 'node:crypto'
import { sha256 } from '../secrets/secrets.ts'

/** Crockford's: no letter that reads like a digit. */
const SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 16
const CODES = 10

/** 80 random bits, written as `7QK4-0M9T-XW2A-H3ED`: too many to brute-force, even from a stolen database. */
const newCode = () =>
  [...randomBytes(LENGTH)]
    .map((byte) => SIGNS.charAt(byte % SIGNS.length))
    .join('')
    .replaceAll(/(.{4})(?=.)/g, '$1-')

export const newRecoveryCodes = (): string[] => Array.from({ length: CODES }, newCode)

/** Hashes a typed code: any case, with or without dashes, O for 0 and I or L for 1. Returns null if it is invalid. */
export function recoveryHash(text: string): string | null {
  const plain = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return new RegExp(`^[${SIGNS}]{${LENGTH}}$`).test(plain) ? sha256(plain) : null
}
