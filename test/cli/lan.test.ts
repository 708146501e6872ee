import { expect, it } from 'vitest'
import { lanAddresses } from '../../src/cli/lan.ts'

const card = (address: string, more: { internal?: boolean } = {}) => ({
  address,
  netmask: '',
  mac: '',
  cidr: null,
  internal: false,
  family: 'IPv4' as const,
  ...more,
})
const interfaces = {
  lo: [card('127.0.0.1', { internal: true })],
  eth0: [card('192.168.1.20'), card('169.254.3.4')],
  wlan0: [card('10.0.0.7')],
}

it('names every address of the local networks when the service listens on all interfaces', () => {
  expect(lanAddresses('0.0.0.0', 'http://0.0.0.0:3000', interfaces)).toEqual([
    'http://192.168.1.20:3000',
    'http://10.0.0.7:3000',
  ])
})

it('names none when the service listens on one address', () => {
  expect(lanAddresses('127.0.0.1', 'http://127.0.0.1:3000', interfaces)).toEqual([])
})
