/** WhatsApp takes a number without its plus, in international form; without one it asks for the receiver. */
export function whatsAppAddress(phone: string | null, text: string): string {
  const digits = (phone ?? '').replaceAll(/\D/g, '').replace(/^0/, '62')
  return `https://wa.me/${digits}?text=${encodeURIComponent(text)}`
}
