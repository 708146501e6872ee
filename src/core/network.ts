/** One home or shop counts as one IPv4 address or one IPv6 /64, which gives its owner 2^64 addresses (RFC 6177). */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined || !ip.includes(':')) return mapped ?? ip
  const [head = '', tail] = (ip.split('%', 1)[0] ?? '').split('::')
  const groupsOf = (part: string | undefined) => (part ? part.split(':') : [])
  const [front, back] = [groupsOf(head), groupsOf(tail)]
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length)
  const groups = [...front, ...Array<string>(zeros).fill('0'), ...back].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
