import { describe, expect, test } from 'vitest'
import type { Api } from '../../../support/api.ts'
import { fresh, makeOutlet } from '../../../support/build.ts'
import { memberOf } from '../../../support/clients.ts'
import { done, refusalOf } from '../../../support/expect.ts'
import { enrolTill } from '../../../support/pins.ts'
import { acme, globex, useService } from '../../../support/service.ts'

useService({ env: { PRINTER_NETWORKS: '10.0.0.0/8,192.168.0.0/16' } })

const HOST = '192.168.1.50'
const printerIn = async (api: Api, fields: Record<string, unknown> = {}) =>
  done(
    await api.post('/printers', {
      outletId: fields['outletId'] ?? (await makeOutlet(api)),
      name: fresh('Printer'),
      kind: 'NETWORK',
      host: HOST,
      ...fields,
    }),
  ).printer

describe('a printer', () => {
  test('has the defaults port 9100, paper 80, WPC1252, no drawer and no stations', async () => {
    const outletId = await makeOutlet(acme())
    const printer = done(
      await acme().post('/printers', { outletId, name: 'Bar', kind: 'NETWORK', host: HOST }),
    ).printer
    expect(printer).toEqual({
      id: expect.stringMatching(/^ptr_/),
      outletId,
      kind: 'NETWORK',
      name: 'Bar',
      host: HOST,
      port: 9100,
      paper: 80,
      codePage: 'WPC1252',
      opensDrawer: false,
      stations: [],
      tillId: null,
      fallbackPrinterId: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(done(await acme().get(`/printers/${printer.id}`)).printer).toEqual(printer)
    expect(done(await acme().get(`/printers?outletId=${outletId}`)).printers).toEqual([printer])
  })

  test('is changed field by field, and deleted', async () => {
    const printer = await printerIn(acme(), { stations: ['bar', 'bar'] })
    expect(printer.stations).toEqual(['bar'])
    const changed = done(
      await acme().patch(`/printers/${printer.id}`, { paper: 58, stations: ['dapur'] }),
    ).printer
    expect(changed).toMatchObject({ paper: 58, stations: ['dapur'], host: HOST, port: 9100 })
    expect(done(await acme().delete(`/printers/${printer.id}`))).toEqual({ id: printer.id, deleted: true })
    expect(refusalOf(await acme().get(`/printers/${printer.id}`))).toMatchObject({ status: 404 })
  })

  test('of a till belongs to an enrolled till of its outlet', async () => {
    const till = await enrolTill(acme())
    const kind = 'TILL'
    const printer = await printerIn(acme(), { outletId: till.outletId, kind, host: null, tillId: till.id })
    expect(printer).toMatchObject({ kind, tillId: till.id, host: null })
  })

  test('of a revoked till can be renamed and given to another till, and never to a revoked one', async () => {
    const till = await enrolTill(acme())
    const { outletId } = till
    const printer = await printerIn(acme(), { outletId, kind: 'TILL', host: null, tillId: till.id })
    done(await acme().delete(`/tills/${till.id}`))
    const change = (body: object) => acme().patch(`/printers/${printer.id}`, body)
    expect(done(await change({ name: 'Bar', tillId: till.id })).printer).toMatchObject({
      name: 'Bar',
      tillId: till.id,
    })
    const next = await enrolTill(acme(), { outletId })
    expect(done(await change({ tillId: next.id })).printer.tillId).toBe(next.id)
    expect(refusalOf(await change({ tillId: till.id }))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
      param: 'tillId',
    })
  })

  test('is managed by managers, and read by cashiers', async () => {
    const printer = await printerIn(acme())
    const { api } = await memberOf(acme(), 'CASHIER')
    expect(done(await api.get('/printers')).printers).toContainEqual(printer)
    for (const answer of [
      await api.post('/printers', { outletId: printer.outletId, name: 'A', kind: 'NETWORK', host: HOST }),
      await api.patch(`/printers/${printer.id}`, { name: 'B' }),
      await api.delete(`/printers/${printer.id}`),
    ]) {
      expect(refusalOf(answer)).toEqual({ status: 403, code: 'FORBIDDEN' })
    }
  })

  test('of another workspace does not exist', async () => {
    const { id } = await printerIn(globex())
    for (const answer of [
      await acme().get(`/printers/${id}`),
      await acme().patch(`/printers/${id}`, { name: 'Mine' }),
      await acme().delete(`/printers/${id}`),
      await acme().post(`/printers/${id}/test`),
      await acme().post(`/printers/${id}/drawer`, { reason: 'Change' }),
      await acme().get(`/printers/${id}/drawer`),
    ]) {
      expect(refusalOf(answer)).toEqual({ status: 404, code: 'NOT_FOUND' })
    }
  })
})

describe('a printer is refused', () => {
  const refused = async (fields: Record<string, unknown>) => {
    const outletId = await makeOutlet(acme())
    return acme().post('/printers', { outletId, name: 'Bar', kind: 'NETWORK', host: HOST, ...fields })
  }
  const messageOf = (answer: { error?: { message: string } | null }) => answer.error?.message

  test.each([
    ['port', { port: 0 }],
    ['port', { port: 65_536 }],
    ['paper', { paper: 72 }],
    ['codePage', { codePage: 'UTF-8' }],
    ['kind', { kind: 'USB' }],
    ['name', { name: '' }],
    ['stations[0]', { stations: [''] }],
    ['stations[0]', { stations: ['x'.repeat(41)] }],
    ['host', { host: 'x'.repeat(254) }],
  ])('with 400 for a wrong %s: %j', async (param, fields) => {
    expect(refusalOf(await refused(fields))).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
  })

  test('with 400 if its kind lacks a field or has that of the other kind', async () => {
    const till = await enrolTill(acme())
    const cases = [
      [{ host: null }, 'host', 'A NETWORK printer needs a host: its name or address'],
      [{ tillId: till.id }, 'tillId', 'Only a TILL printer has a tillId; leave it out'],
      [{ kind: 'TILL', host: null }, 'tillId', 'A TILL printer needs a tillId: the till that prints on it'],
      [{ kind: 'TILL', tillId: till.id }, 'host', 'Only a NETWORK printer has a host; leave it out'],
    ] as const
    for (const [fields, param, message] of cases) {
      const answer = await refused({ outletId: till.outletId, ...fields })
      expect(refusalOf(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
      expect(messageOf(answer)).toBe(message)
    }
  })

  test('with 422 host for a text that is no name and no address', async () => {
    for (const host of [
      'printer:9100',
      'http://192.168.1.50',
      '192.168.1',
      '0x7f.1',
      '2130706433',
      'a b',
      '-bar',
      'fe80::1%eth0',
    ]) {
      const answer = await refused({ host })
      expect([host, refusalOf(answer)]).toEqual([
        host,
        { status: 422, code: 'VALIDATION_ERROR', param: 'host' },
      ])
      expect(messageOf(answer)).toBe(
        'Enter the name or the address of the printer, such as 192.168.1.50, without a port',
      )
    }
  })

  test('with 422 host outside the networks of the operator: loopback, metadata, link-local, mapped and public addresses', async () => {
    for (const host of [
      '127.0.0.1',
      '::1',
      '169.254.169.254',
      '172.16.0.1',
      '8.8.8.8',
      '0.0.0.0',
      '::ffff:10.0.0.1',
      'fe80::1',
      'fd00::1',
      // A name whose address lies outside.
      'localhost',
    ]) {
      const answer = await refused({ host })
      expect([host, refusalOf(answer)]).toEqual([
        host,
        { status: 422, code: 'VALIDATION_ERROR', param: 'host' },
      ])
      expect(messageOf(answer)).toBe(
        'The service may not print to this address: the operator lists the networks in PRINTER_NETWORKS',
      )
    }
    const printer = await printerIn(acme())
    expect(refusalOf(await acme().patch(`/printers/${printer.id}`, { host: '127.0.0.1' }))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'host',
    })
  })

  test('with 404 for an outlet, till or fallback printer of another workspace', async () => {
    const foreign = await printerIn(globex())
    const till = await enrolTill(globex())
    expect(refusalOf(await refused({ outletId: foreign.outletId }))).toMatchObject({
      status: 404,
      param: 'outletId',
    })
    expect(refusalOf(await refused({ kind: 'TILL', host: null, tillId: till.id }))).toMatchObject({
      status: 404,
      param: 'tillId',
    })
    expect(refusalOf(await refused({ fallbackPrinterId: foreign.id }))).toMatchObject({
      status: 404,
      param: 'fallbackPrinterId',
    })
  })

  test('with 422 for a till or fallback printer of another outlet', async () => {
    const till = await enrolTill(acme())
    const other = await printerIn(acme())
    const ofTill = await refused({ kind: 'TILL', host: null, tillId: till.id })
    expect(refusalOf(ofTill)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'tillId' })
    expect(messageOf(ofTill)).toBe('Till Front belongs to another outlet')
    const ofPrinter = await refused({ fallbackPrinterId: other.id })
    expect(refusalOf(ofPrinter)).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'fallbackPrinterId',
    })
    expect(messageOf(ofPrinter)).toBe('The fallback printer belongs to another outlet')
  })

  test('with 422 if it falls back to itself or in a circle', async () => {
    const a = await printerIn(acme(), { name: 'A' })
    const { outletId } = a
    const b = await printerIn(acme(), { outletId, name: 'B', fallbackPrinterId: a.id })
    const c = await printerIn(acme(), { outletId, name: 'C', fallbackPrinterId: b.id })
    const self = await acme().patch(`/printers/${a.id}`, { fallbackPrinterId: a.id })
    expect(refusalOf(self)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'fallbackPrinterId' })
    expect(messageOf(self)).toBe('A printer cannot be its own fallback printer; choose another one')
    for (const { id, name } of [b, c]) {
      const circle = await acme().patch(`/printers/${a.id}`, { fallbackPrinterId: id })
      expect(refusalOf(circle)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'fallbackPrinterId' })
      expect(messageOf(circle)).toBe(`${name} falls back to this printer; choose another fallback printer`)
    }
  })

  test('with 422 for a station that another printer of the outlet prints', async () => {
    const bar = await printerIn(acme(), { name: 'Bar', stations: ['bar'] })
    const answer = await refused({ outletId: bar.outletId, stations: ['dapur', 'bar'] })
    expect(refusalOf(answer)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'stations[1]' })
    expect(messageOf(answer)).toBe('Bar already prints bar; take the station off it first')
    expect((await refused({ stations: ['bar'] })).status).toBe(201)
  })

  test('with 422 at an inactive outlet', async () => {
    const outletId = await makeOutlet(acme())
    done(await acme().patch(`/outlets/${outletId}`, { isActive: false }))
    expect(refusalOf(await refused({ outletId }))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'outletId',
    })
  })
})

describe('a drawer', () => {
  test('is opened with a reason, which is recorded with the member', async () => {
    const printer = await printerIn(acme(), { opensDrawer: true })
    const cashier = await memberOf(acme(), 'CASHIER')
    const { job, kick } = done(
      await cashier.api.post(`/printers/${printer.id}/drawer`, { reason: 'Change for a guest' }),
    )
    expect(job).toMatchObject({ kind: 'DRAWER', printerId: printer.id, saleId: null, status: 'queued' })
    expect(kick).toMatchObject({
      printerId: printer.id,
      jobId: job.id,
      memberId: cashier.id,
      reason: 'Change for a guest',
    })
    expect(done(await acme().get(`/printers/${printer.id}/drawer`))).toEqual([kick])
    const content = await acme().get(`/print-jobs/${job.id}/content`)
    expect([...Buffer.from(content.text, 'latin1')].slice(2, 6)).toEqual([0x1b, 0x70, 0, 25])
    expect(refusalOf(await acme().post(`/print-jobs/${job.id}/reprint`))).toEqual({
      status: 409,
      code: 'CONFLICT',
    })
  })

  test('is not opened without a reason, nor at a printer without a drawer', async () => {
    const printer = await printerIn(acme())
    expect(refusalOf(await acme().post(`/printers/${printer.id}/drawer`, {}))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      param: 'reason',
    })
    const answer = await acme().post(`/printers/${printer.id}/drawer`, { reason: 'Change' })
    expect(refusalOf(answer)).toEqual({ status: 409, code: 'CONFLICT' })
    expect(messageOf(answer)).toBe(
      `No drawer is connected to ${printer.name}; choose the printer with the drawer`,
    )
    expect(done(await acme().get(`/printers/${printer.id}/drawer`))).toEqual([])
  })
  const messageOf = (answer: { error?: { message: string } | null }) => answer.error?.message
})
