import { courierOf } from '../shipping/couriers.ts'

const DIGITS = 10

/** The last digit of the number, so that a mistyped one is found (Luhn, ISO/IEC 7812-1). */
function checkDigit(digits: string): number {
  const checked = [...digits].reduceRight((sum, digit, index) => {
    const doubled = (digits.length - index) % 2 === 1 ? Number(digit) * 2 : Number(digit)
    return sum + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return (10 - (checked % 10)) % 10
}

/** The waybill of the courier: its two letters, ten digits, and one that checks them. */
export function waybillOf(courierCode: string, n: number): string {
  const digits = String(n).padStart(DIGITS, '0')
  return `${courierOf(courierCode)?.waybillPrefix ?? 'XX'}${digits}${checkDigit(digits)}`
}
