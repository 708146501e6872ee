import { BlockList, isIPv4, isIPv6 } from 'node:net'

const listOf = (family: 'ipv4' | 'ipv6', ranges: Record<string, string>): BlockList => {
  const list = new BlockList()
  for (const range of Object.keys(ranges)) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** Special-purpose ranges of IPv4 (IANA registry, RFC 6890), and further addresses of cloud services. */
const SPECIAL_IPV4 = listOf('ipv4', {
  '0.0.0.0/8': 'this network',
  '10.0.0.0/8': 'private',
  '100.64.0.0/10': 'carrier-grade NAT, and the metadata of one cloud',
  '127.0.0.0/8': 'loopback',
  '168.63.129.16/32': 'the metadata and agents of one cloud',
  '169.254.0.0/16': 'link-local, and the metadata of most clouds',
  '172.16.0.0/12': 'private',
  '192.0.0.0/24': 'protocol assignments',
  '192.0.2.0/24': 'documentation',
  '192.31.196.0/24': 'AS112',
  '192.52.193.0/24': 'AMT',
  '192.88.99.0/24': '6to4 relays',
  '192.168.0.0/16': 'private',
  '192.175.48.0/24': 'AS112',
  '198.18.0.0/15': 'benchmarks',
  '198.51.100.0/24': 'documentation',
  '203.0.113.0/24': 'documentation',
  '224.0.0.0/4': 'multicast',
  '240.0.0.0/4': 'reserved, and broadcast',
})

/**
 * All public IPv6 addresses are in this range. Loopback, link-local, unique-local and multicast are outside it.
 * Prefixes with an embedded IPv4 address (mapped, compatible, NAT64) are checked by that address, except for the two
 * refused below.
 */
const GLOBAL_IPV6 = listOf('ipv6', { '2000::/3': 'global unicast' })
const SPECIAL_IPV6 = listOf('ipv6', {
  '2001::/23': 'protocol assignments, with Teredo',
  '2001:db8::/32': 'documentation',
  '2002::/16': '6to4',
  '2620:4f:8000::/48': 'AS112',
  '3fff::/20': 'documentation',
})

/**
 * Whether an address, as written by a resolver or a socket, belongs to the public internet. False for unreadable
 * text.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !SPECIAL_IPV4.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return GLOBAL_IPV6.check(address, 'ipv6') && !SPECIAL_IPV6.check(address, 'ipv6')
}
