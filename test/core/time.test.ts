import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import {
  addDays,
  addMonths,
  addMs,
  dayOf,
  isDay,
  parseInstant,
  startOfDay,
  storedInstant,
} from '../../src/core/time.ts'
import { isTimezone } from '../../src/core/timezones.ts'

test.each([
  ['2026-11-20T17:00:00.000Z', 'Asia/Jakarta', '2026-11-21'],
  ['2026-11-20T16:59:59.999Z', 'Asia/Jakarta', '2026-11-20'],
  ['2026-11-20T16:00:00.000Z', 'Asia/Makassar', '2026-11-21'],
  ['2026-11-20T15:00:00.000Z', 'Asia/Jayapura', '2026-11-21'],
  ['2026-12-31T23:59:59.999Z', 'UTC', '2026-12-31'],
  ['2026-12-31T10:00:00.000Z', 'Pacific/Kiritimati', '2027-01-01'],
  ['2026-01-01T10:59:59.000Z', 'Pacific/Midway', '2025-12-31'],
  ['2026-11-20T18:15:00.000Z', 'Asia/Kathmandu', '2026-11-21'],
])('%s is in %s the day %s', (instant, zone, day) => {
  expect(dayOf(instant, zone)).toBe(day)
})

test.each([
  ['2026-11-21', 'Asia/Jakarta', '2026-11-20T17:00:00.000Z'],
  ['2026-11-21', 'Asia/Jayapura', '2026-11-20T15:00:00.000Z'],
  ['2026-11-21', 'Asia/Kathmandu', '2026-11-20T18:15:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
  ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z'],
  ['2026-11-02', 'America/New_York', '2026-11-02T05:00:00.000Z'],
  // The clock goes back at midnight: that midnight comes twice, the day begins with the first.
  ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
])('the day %s begins in %s at %s', (day, zone, instant) => {
  expect(startOfDay(day, zone)).toBe(instant)
})

test('a day whose midnight does not exist begins with its first instant', () => {
  // Havana and Santiago jump from 00:00 to 01:00.
  for (const [day, zone, first] of [
    ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z'],
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  ] as const) {
    expect([zone, startOfDay(day, zone)]).toEqual([zone, first])
    expect(dayOf(first, zone)).toBe(day)
    expect(dayOf(addMs(first, -1), zone)).toBe(addDays(day, -1))
  }
})

const ZONES = [
  'Asia/Jakarta',
  'Asia/Jayapura',
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'America/Santiago',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Chatham',
  'Africa/Casablanca',
  'Asia/Beirut',
]

test('in every zone the first instant of a day is in it and the one before is not', () => {
  const day = fc.integer({ min: 0, max: 365 * 12 }).map((n) => addDays('2020-01-01', n))
  fc.assert(
    fc.property(day, fc.constantFrom(...ZONES), (date, zone) => {
      const start = startOfDay(date, zone)
      expect(dayOf(start, zone)).toBe(date)
      expect(dayOf(addMs(start, -1), zone)).toBe(addDays(date, -1))
    }),
    { numRuns: 3_000 },
  )
})

test('days are counted over months, years and leap days', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31')
})

test.each([
  ['2026-11-21', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['2026-00-10', false],
  ['2026-1-1', false],
  ['0000-01-01', false],
  ['0001-01-01', true],
  ['20261121', false],
  [' 2026-11-21', false],
  ['2026-11-21T00:00:00Z', false],
  ['', false],
])('%j is a calendar day: %s', (text, expected) => {
  expect(isDay(text)).toBe(expected)
})

test.each([
  ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T10:00:00.123456Z', '2026-11-21T10:00:00.123Z'],
  ['2026-11-21T10:00:00+07:00', '2026-11-21T03:00:00.000Z'],
  ['2026-11-21t10:00:00z', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21 10:00:00Z', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T10:00:00', null],
  ['2026-11-21', null],
  ['2026-02-30T10:00:00Z', null],
  ['2026-11-21T24:00:01Z', null],
  ['2026-11-21T25:00:00Z', null],
  ['2026-11-21T10:60:00Z', null],
  ['2026-11-21T10:00:00+25:00', null],
  ['10000-01-01T00:00:00Z', null],
  ['9999-12-31T23:00:00-05:00', null],
  ['0001-01-01T00:00:00+14:00', null],
  ['yesterday', null],
  ['', null],
])('%j reads as the instant %s', (text, expected) => {
  expect(parseInstant(text)).toBe(expected)
})

test('however a zone is spelled, it is worked out once', () => {
  const spellings = Array.from(
    { length: 256 },
    (_, n) =>
      [...'pacific/'].map((letter, at) => ((n >> at) & 1 ? letter.toUpperCase() : letter)).join('') +
      'Chatham',
  )
  expect(dayOf('2026-11-21T10:30:00.000Z', 'Pacific/Chatham')).toBe('2026-11-22')
  const made = vi.spyOn(Intl, 'DateTimeFormat')
  const days = spellings.map((name) => (isTimezone(name), dayOf('2026-11-21T10:30:00.000Z', name)))
  expect(made.mock.calls.length).toBe(0)
  made.mockRestore()
  expect(new Set(days)).toEqual(new Set(['2026-11-22']))
})

test('an instant of the database is written in the form of the API, from a column and from JSON', () => {
  expect(storedInstant('2026-11-21 05:00:00.12+00')).toBe('2026-11-21T05:00:00.120Z')
  expect(storedInstant('2026-11-21 05:00:00+00')).toBe('2026-11-21T05:00:00.000Z')
  expect(storedInstant('2026-11-21T05:00:00.123+00:00')).toBe('2026-11-21T05:00:00.123Z')
  expect(storedInstant('2026-11-21T05:00:00+00:00')).toBe('2026-11-21T05:00:00.000Z')
})

test('months later is the same day, or the last of a shorter month', () => {
  expect(addMonths('2026-01-31T03:00:00.000Z', 1)).toBe('2026-02-28T03:00:00.000Z')
  expect(addMonths('2026-01-31T03:00:00.000Z', 2)).toBe('2026-03-31T03:00:00.000Z')
  expect(addMonths('2024-02-29T23:59:59.999Z', 12)).toBe('2025-02-28T23:59:59.999Z')
})
