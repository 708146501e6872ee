const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_LENGTH = 10
const RANDOM_LENGTH = 16

/** Creates an id that sorts by creation time: 48 bits of milliseconds and 80 random bits, in Crockford's base 32. */
export function newUlid(ms: number = Date.now()): string {
  let time = ''
  for (let rest = ms, at = 0; at < TIME_LENGTH; at += 1, rest = Math.floor(rest / 32)) {
    time = ALPHABET.charAt(rest % 32) + time
  }
  // 32 divides 256: every letter is as likely as any other.
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH))
  return time + Array.from(bytes, (byte) => ALPHABET.charAt(byte % 32)).join('')
}
