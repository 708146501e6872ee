import { networkInterfaces } from 'node:os'
import { renderUnicodeCompact } from 'uqr'

/** Hosts on which a service listens on every interface. */
const EVERYWHERE: readonly string[] = ['0.0.0.0', '::']

type Interfaces = ReturnType<typeof networkInterfaces>

/** The addresses of this machine on its networks, for a service that listens on all of them. */
export function lanAddresses(
  host: string,
  address: string,
  interfaces: Interfaces = networkInterfaces(),
): string[] {
  if (!EVERYWHERE.includes(host)) return []
  const { protocol, port } = new URL(address)
  return Object.values(interfaces)
    .flatMap((entries) => entries ?? [])
    .filter(
      ({ family, internal, address: ip }) => family === 'IPv4' && !internal && !ip.startsWith('169.254.'),
    )
    .map(({ address: ip }) => `${protocol}//${ip}${port === '' ? '' : `:${port}`}`)
}

/** Each address with a QR code: a tablet opens the register without typing. */
export const lanLines = (host: string, address: string): string[] =>
  lanAddresses(host, address).flatMap((each) => [`  On the network ${each}`, ...qrLines(each)])

export const qrLines = (address: string): string[] =>
  renderUnicodeCompact(address, { border: 1 })
    .split('\n')
    .map((line) => `  ${line}`)
