/**
 * The number as WhatsApp takes it: digits in international form. One without a foreign country is Indonesian, and may be written as
 * 0812, 812, 62 812, +62 0812 or 0062 812.
 */
function whatsAppNumber(phone: string): string {
  const international = phone.trim().replace(/^00/, '+')
  const digits = international.replaceAll(/\D/g, '')
  const isForeign = international.includes('+') && !digits.startsWith('62')
  return isForeign || digits === '' ? digits : `62${digits.replace(/^(?:62)?0?/, '')}`
}

/** Opens WhatsApp with a text; without a number it asks for the receiver. */
export const whatsAppAddress = (phone: string | null, text: string): string =>
  `https://wa.me/${whatsAppNumber(phone ?? '')}?text=${encodeURIComponent(text)}`
