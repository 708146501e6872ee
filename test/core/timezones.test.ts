import { expect, test } from 'vitest'
import { isTimezone, nearestTimezone } from '../../src/core/timezones.ts'

test.each([
  'Asia/Jakarta',
  'Asia/Kolkata',
  'Asia/Calcutta',
  'Asia/Ho_Chi_Minh',
  'Europe/Kyiv',
  'Europe/Kiev',
  'America/Port-au-Prince',
  'Africa/Dar_es_Salaam',
  'Europe/Isle_of_Man',
  'America/Port_of_Spain',
  'America/Argentina/ComodRivadavia',
  'America/Knox_IN',
  'Antarctica/DumontDUrville',
  'Asia/Ujung_Pandang',
  'US/Pacific',
  'US/East-Indiana',
  'GB-Eire',
  'Hongkong',
  'Singapore',
  'W-SU',
  'EST5EDT',
  'UTC',
  'Etc/UTC',
  'Etc/Greenwich',
  'Etc/GMT+7',
  'Etc/GMT-14',
])('%s is a time zone, and no other way of writing it is', (name) => {
  expect(isTimezone(name)).toBe(true)
  const inverted = name.replaceAll(/[a-z]/gi, (c) =>
    c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase(),
  )
  for (const other of [name.toLowerCase(), inverted, `${name} `, ` ${name}`]) {
    expect([other, isTimezone(other)]).toEqual([other, false])
  }
  expect(nearestTimezone(name.toLowerCase())).toBe(name)
  expect(nearestTimezone(inverted)).toBe(name)
})

test('every zone that the runtime lists is one in that spelling', () => {
  expect(Intl.supportedValuesOf('timeZone').filter((name) => !isTimezone(name))).toEqual([])
})

test.each([
  ['Asia/Bandung', null],
  ['', null],
  ['WIB', null],
  ['IST', null],
  ['pst', null],
  ['+07:00', null],
  ['+0700', null],
  ['-05', null],
  ['UTC+7', null],
  ['Etc/GMT+13', null],
  ['SystemV/PST8', null],
  ['localtime', null],
  ['x'.repeat(64), null],
  ['Asia/Jakrta', 'Asia/Jakarta'],
  ['Asia/Makasar', 'Asia/Makassar'],
  ['Asia/Jaya pura', 'Asia/Jayapura'],
  ['Asia/Kolkatta', 'Asia/Kolkata'],
  ['Jakarta', 'Asia/Jakarta'],
  ['America/New York', 'America/New_York'],
])('%j is no time zone; %j is proposed', (name, meant) => {
  expect(isTimezone(name)).toBe(false)
  expect(nearestTimezone(name)).toBe(meant)
})
