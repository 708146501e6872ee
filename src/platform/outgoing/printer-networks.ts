import { BlockList, isIP, isIPv4 } from 'node:net'

/** A range of addresses in CIDR notation. */
export type Network = { address: string; bits: number; family: 'ipv4' | 'ipv6' }

/** The private ranges: RFC 1918 and RFC 4193. */
export const PRIVATE_NETWORKS: readonly Network[] = [
  { address: '10.0.0.0', bits: 8, family: 'ipv4' },
  { address: '172.16.0.0', bits: 12, family: 'ipv4' },
  { address: '192.168.0.0', bits: 16, family: 'ipv4' },
  { address: 'fc00::', bits: 7, family: 'ipv6' },
]

const LOOPBACK: readonly Network[] = [
  { address: '127.0.0.0', bits: 8, family: 'ipv4' },
  { address: '::1', bits: 128, family: 'ipv6' },
]
/** Never printed to, whatever the operator lists: link-local has the metadata of clouds, and no printer is the others. */
const NEVER: readonly Network[] = [
  { address: '0.0.0.0', bits: 8, family: 'ipv4' },
  { address: '168.63.129.16', bits: 32, family: 'ipv4' },
  { address: '169.254.0.0', bits: 16, family: 'ipv4' },
  { address: '224.0.0.0', bits: 3, family: 'ipv4' },
  { address: '::', bits: 128, family: 'ipv6' },
  { address: 'fe80::', bits: 10, family: 'ipv6' },
  { address: 'ff00::', bits: 8, family: 'ipv6' },
  // They embed an IPv4 address, which would have to be judged by itself.
  { address: '::ffff:0:0', bits: 96, family: 'ipv6' },
  { address: '64:ff9b::', bits: 96, family: 'ipv6' },
  { address: '2002::', bits: 16, family: 'ipv6' },
]

const listOf = (networks: readonly Network[], family: Network['family']): BlockList => {
  const list = new BlockList()
  for (const network of networks)
    if (network.family === family) list.addSubnet(network.address, network.bits, family)
  return list
}

const LOOPBACK_LIST = { ipv4: listOf(LOOPBACK, 'ipv4'), ipv6: listOf(LOOPBACK, 'ipv6') }

/** Whether the whole network is loopback. */
const isLoopback = ({ address, bits, family }: Network): boolean =>
  LOOPBACK_LIST[family].check(address, family) && bits >= (family === 'ipv4' ? 8 : 128)

/** The network that a text names; null if it names none. */
export function networkFrom(text: string): Network | null {
  const [address = '', bits = '', ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || rest.length > 0 || !/^\d{1,3}$/.test(bits)) return null
  const most = version === 4 ? 32 : 128
  return Number(bits) <= most
    ? { address, bits: Number(bits), family: version === 4 ? 'ipv4' : 'ipv6' }
    : null
}

/**
 * Whether a printer may have an address (B-printer-3). Loopback needs an entry that is loopback itself: a wide entry such as
 * 0.0.0.0/0 does not open this machine.
 */
export function printerAddresses(networks: readonly Network[]): (address: string) => boolean {
  const listsOf = (some: readonly Network[]) => ({ ipv4: listOf(some, 'ipv4'), ipv6: listOf(some, 'ipv6') })
  const own = listsOf(networks.filter(isLoopback))
  const allowed = listsOf(networks.filter((network) => !isLoopback(network)))
  const never = listsOf([...NEVER, ...LOOPBACK])
  return (address) => {
    if (isIP(address) === 0 || address.includes('%')) return false
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (own[family].check(address, family)) return true
    return allowed[family].check(address, family) && !never[family].check(address, family)
  }
}
