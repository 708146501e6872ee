import { expect, test } from 'vitest'
import { isPublicAddress } from '../../../src/platform/outgoing/addresses.ts'
import { callableUrl } from '../../../src/platform/outgoing/urls.ts'

/** Nothing here is resolved or connected to: some of these are the metadata addresses of real clouds. */
const REFUSED = {
  loopback: [
    'https://127.0.0.1/',
    'https://127.0.0.1:8443/hook',
    'https://127.1/',
    'https://127.0.1/',
    'https://127.255.255.254/',
    'https://127.0.0.1./',
  ],
  'other spellings of an address': [
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0x7F.0x0.0x0.0x1/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://0177.0.1/',
    'https://127.0x1/',
    'https://00000000177.0.0.1/',
    'https://3232235777/',
    'https://0xa9fea9fe/',
    'https://0251.0376.0251.0376/',
    'https://2852039166/',
    'https://0xA9.254.43518/',
    'https://10.1/',
    'https://0xa.0x1/',
  ],
  'this network': ['https://0/', 'https://0.0.0.0/', 'https://0.1.2.3/', 'https://0x0/'],
  private: [
    'https://10.0.0.0/',
    'https://10.255.255.255/',
    'https://172.16.0.0/',
    'https://172.20.10.5:9000/',
    'https://172.31.255.255/',
    'https://192.168.0.1/',
    'https://192.168.255.255/',
  ],
  'link-local and metadata': [
    'https://169.254.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://169.254.170.2/',
    'https://169.254.255.255/',
    'https://168.63.129.16/',
    'https://100.100.100.200/',
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://metadata/',
    'https://instance-data/',
    'https://instance-data.ec2.internal/',
    'https://[fd00:ec2::254]/',
  ],
  'shared and reserved': [
    'https://100.64.0.1/',
    'https://100.127.255.255/',
    'https://192.0.0.8/',
    'https://192.0.2.1/',
    'https://192.31.196.1/',
    'https://192.52.193.1/',
    'https://192.88.99.1/',
    'https://192.175.48.1/',
    'https://198.18.0.1/',
    'https://198.19.255.255/',
    'https://198.51.100.7/',
    'https://203.0.113.9/',
    'https://224.0.0.1/',
    'https://239.255.255.250/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
  ],
  'IPv6 outside the public range': [
    'https://[::]/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[0000::0001]:8443/',
    'https://[fe80::1]/',
    'https://[febf::1]/',
    'https://[fec0::1]/',
    'https://[fc00::1]/',
    'https://[fdff:ffff::1]/',
    'https://[ff02::1]/',
    'https://[ff0e::1]/',
    'https://[100::1]/',
    'https://[4000::1]/',
    'https://[1fff:ffff::1]/',
  ],
  'IPv4 inside of IPv6': [
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[::127.0.0.1]/',
    'https://[::7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b::10.0.0.1]/',
    'https://[64:ff9b:1::a9fe:a9fe]/',
    'https://[2002:7f00:1::]/',
    'https://[2002:a9fe:a9fe::1]/',
    'https://[2001:0:7f00:1::]/',
    'https://[2001::1]/',
  ],
  'special IPv6': [
    'https://[2001:2::1]/',
    'https://[2001:10::1]/',
    'https://[2001:20::1]/',
    'https://[2001:1ff:ffff::1]/',
    'https://[2001:db8::1]/',
    'https://[2620:4f:8000::1]/',
    'https://[3fff::1]/',
    'https://[3fff:fff::1]/',
  ],
  'local names': [
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://shop.localhost/',
    'https://localhost.localdomain/',
    'https://printer.local/',
    'https://nas.lan/',
    'https://router.home/',
    'https://router.home.arpa/',
    'https://home.arpa/',
    'https://kubernetes.default.svc/',
    'https://kubernetes.default.svc./',
    'https://kubernetes.default.svc.cluster.local/',
    'https://ｋubernetes。default。ｓvc/',
    'https://db.corp/',
    'https://wiki.intranet/',
    'https://vault.internal/',
    'https://vault.internal./',
    'https://vault.private/',
    'https://postgres/',
    'https://kubernetes/',
    'https://a.onion/',
    'https://nothing.invalid/',
  ],
  'unicode and percent signs': [
    'https://①②⑦.⓪.⓪.①/',
    'https://１２７.０.０.１/',
    'https://127。0。0。1/',
    'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
    'https://loc%61lhost/',
    'https://%31%32%37.0.0.1/',
    'https://local\u00adhost/',
    'https://[::1%25eth0]/',
  ],
  'credentials and parser confusion': [
    'https://user@shop.example/',
    'https://user:secret@shop.example/',
    'https://@shop.example/',
    'https://:@shop.example/',
    'https://shop.example@127.0.0.1/',
    'https://127.0.0.1@shop.example/',
    'https://shop.example\\@127.0.0.1/',
    'https:\\\\127.0.0.1/',
    'https://shop.example\t.evil.example/',
    'https://shop.example\n/',
    ' https://shop.example/',
    'https://shop.example/ ',
    'https://shop.example/a b',
    'https:///shop.example/',
    'https:shop.example/',
    'https:/shop.example/',
    'https://shop.example/\u0000',
    'https://shop.example/\u2028',
    'https://shop..example/',
    'https://.shop.example/',
  ],
  schemes: [
    'http://shop.example/',
    'HTTP://shop.example/',
    'ftp://shop.example/',
    'file:///etc/passwd',
    'gopher://shop.example:70/_',
    'dict://shop.example:2628/',
    'ldap://shop.example/',
    'ws://shop.example/',
    'wss://shop.example/',
    'data:text/plain,hello',
    'javascript:alert(1)',
    'blob:https://shop.example/1',
    'unix:///run/docker.sock',
    'jar:https://shop.example/a.jar',
  ],
  'no URL': [
    '',
    'https',
    'https://',
    'https://?',
    '//shop.example/',
    '/hook',
    'shop.example/hook',
    'https://[::1/',
    'https://shop.example:99999/',
    'https://shop.example:port/',
    'https://256.256.256.256/',
    'https://1.2.3.4.5/',
    `https://shop.example/${'a'.repeat(2_000)}`,
  ],
} as const

const ALLOWED = [
  'https://shop.example/',
  'https://shop.example/hooks/kasir?tenant=1#part',
  'HTTPS://Shop.Example/Hook',
  'https://shop.example./hook',
  'https://shop.example:8443/hook',
  'https://shop.example:443/hook',
  'https://toko-ibu.co.id/webhook',
  'https://xn--kpi-tna.example/',
  'https://köpi.example/',
  'https://localhost.example.com/',
  'https://127.0.0.1.nip.example/',
  'https://10.shop.example/',
  'https://internal.shop.example/',
  'https://mylocal.shop/',
  'https://local.shop.example/',
  'https://metadata.example.com/',
  'https://shop.example/path/@handle',
  'https://shop.example/?email=a@b.example',
  'https://shop.example/%20',
  'https://8.8.8.8/',
  'https://1.1.1.1/',
  'https://9.255.255.255/',
  'https://11.0.0.0/',
  'https://100.63.255.255/',
  'https://100.128.0.0/',
  'https://126.255.255.255/',
  'https://128.0.0.1/',
  'https://169.253.255.255/',
  'https://169.255.0.0/',
  'https://172.15.255.255/',
  'https://172.32.0.0/',
  'https://192.167.255.255/',
  'https://192.169.0.0/',
  'https://198.17.255.255/',
  'https://198.20.0.0/',
  'https://223.255.255.255/',
  'https://[2606:4700:4700::1111]/',
  'https://[2a00:1450:4001:810::200e]:8443/hook',
  'https://[2400:cb00:2048:1::c629:d7a2]/',
  'https://[2001:200::1]/',
]

const outside = { allowPrivate: false }

test.each(Object.entries(REFUSED))('no URL of a stranger reaches %s', (_kind, urls) => {
  expect(urls.filter((url) => callableUrl(url, outside) !== null)).toEqual([])
})

test('every URL of the public internet may be called', () => {
  expect(ALLOWED.filter((url) => callableUrl(url, outside) === null)).toEqual([])
})

test('letters beyond ASCII stay what they are, however many addresses were read before', () => {
  for (let n = 0; n < 100_000; n += 1) callableUrl(`https://example.com/${n % 7}`, outside)
  expect(callableUrl('https://köpi.example/', outside)?.hostname).toBe('xn--kpi-sna.example')
})

test('the tables are as long as they say: a hundred refused, twenty-five allowed', () => {
  expect(Object.values(REFUSED).flat().length).toBeGreaterThanOrEqual(100)
  expect(ALLOWED.length).toBeGreaterThanOrEqual(25)
})

test('one machine may call itself once its operator allows it, but never with credentials or another scheme', () => {
  const inside = { allowPrivate: true }
  for (const url of [
    'http://127.0.0.1:3000/hook',
    'http://localhost/hook',
    'https://[::1]/',
    'http://hooks/',
  ])
    expect(callableUrl(url, inside)?.href, url).toBeDefined()
  for (const url of ['http://a:b@127.0.0.1/', 'file:///etc/passwd', 'http:/localhost/', 'http://x y/', ''])
    expect(callableUrl(url, inside), url).toBeNull()
})

test('what a resolver answers is judged by the same ranges, and what is no address is not public', () => {
  for (const address of ['8.8.8.8', '2606:4700:4700::1111', '172.32.0.1'])
    expect(isPublicAddress(address), address).toBe(true)
  const special = ['127.0.0.1', '::1', '::ffff:10.0.0.1', 'fe80::1%eth0', '2606:4700::1%1', '169.254.169.254']
  for (const address of [...special, '', 'shop.example', '1.2.3', '0x7f.1'])
    expect(isPublicAddress(address), address).toBe(false)
})
