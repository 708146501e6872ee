import { assert } from 'kasir/partner-tools'

/** CRC-16/CCITT-FALSE: polynomial 0x1021, starting from 0xFFFF, nothing reflected. "123456789" gives 0x29B1. */
export function crc16(text: string): number {
  let crc = 0xffff
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
  }
  return crc
}

/** A field of EMVCo's: two digits of id, two of length, the value. */
function field(id: string, value: string): string {
  assert(value.length >= 1 && value.length <= 99, `field ${id} of a QR code has 1 to 99 characters`)
  return `${id}${String(value.length).padStart(2, '0')}${value}`
}

const fields = (entries: readonly (readonly [id: string, value: string])[]) =>
  entries.map(([id, value]) => field(id, value)).join('')

/** A name in printable ASCII of a limited length, for payment apps; `otherwise` if no letter is left. */
function toPrintable(text: string, most: number, otherwise: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/[^ -~]/g, '')
    .replaceAll(/ +/g, ' ')
    .trim()
  return plain.slice(0, most).trim() || otherwise
}

export type Qris = {
  merchantName: string
  city: string
  postalCode: string
  /** Whole rupiah. */
  amount: number
  /** What the bank gives back with the payment: at most 25 characters. */
  reference: string
  /** National merchant id: `ID` and 13 digits. */
  nmid: string
  /** Merchant account number at the acquirer: 15 digits, the last is made here (Luhn). */
  merchantPan: string
}

/**
 * A dynamic QRIS code: EMVCo's merchant-presented mode with the fields that Bank Indonesia's QRIS asks for, the amount
 * among them, for one payment only.
 */
export function qrisPayload(qris: Qris): string {
  const merchant = fields([
    ['00', 'ID.CO.KASIR.WWW'],
    ['01', qris.merchantPan + luhnDigit(qris.merchantPan)],
    ['02', qris.nmid],
    ['03', 'UMI'],
  ])
  const national = fields([
    ['00', 'ID.CO.QRIS.WWW'],
    ['02', qris.nmid],
    ['03', 'UMI'],
  ])
  const unsigned = `${fields([
    ['00', '01'],
    ['01', '12'],
    ['26', merchant],
    ['51', national],
    ['52', '5999'],
    ['53', '360'],
    ['54', String(qris.amount)],
    ['58', 'ID'],
    ['59', toPrintable(qris.merchantName, 25, 'MERCHANT')],
    ['60', toPrintable(qris.city, 15, 'JAKARTA')],
    ['61', qris.postalCode],
    ['62', field('05', qris.reference)],
  ])}6304`
  return unsigned + crc16(unsigned).toString(16).toUpperCase().padStart(4, '0')
}

/** The digit that makes a number pass Luhn's check (ISO/IEC 7812). */
export function luhnDigit(digits: string): string {
  const checked = Array.from(digits, Number)
    .reverse()
    .map((digit, index) => (index % 2 === 0 ? digit * 2 : digit))
    .reduce((all, digit) => all + (digit > 9 ? digit - 9 : digit), 0)
  return String((10 - (checked % 10)) % 10)
}
