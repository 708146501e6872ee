import { type Page, pageOf } from '../../../core/cursor.ts'
import { conflict, invalid, malformed, notFound } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import type { StationPrinters } from '../../../core/printing.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { type Scope, touchBoard } from '../../../platform/scope.ts'
import {
  getActiveOutlet,
  getOutlet,
  lockForPrinters,
  setStationPrinters,
} from '../../workspace/outlets/index.ts'
import { testRows } from './paper.ts'
import { queueJob } from './queue.ts'
import { isCycle } from './rules.ts'
import type { DrawerKick, KickQuery, Printer, PrinterIn, PrinterPatch, PrintJob } from './schema.ts'
import * as store from './store.ts'

/** An upper bound for the printers of an outlet; all are read when the stations are mapped. */
const MOST_PRINTERS = 50

/** Throws 422 `host` unless the service may print there (B-printer-3). Resolves names, so no transaction is open. */
export async function requireHost(
  { printers }: Pick<Deps, 'printers'>,
  { accountId }: Pick<Scope, 'accountId'>,
  host: string | null | undefined,
) {
  if (host === undefined || host === null) return
  const fault = await printers.faultOf({ accountId, host })
  if (fault === 'form') {
    throw invalid(
      'host',
      'Enter the name or the address of the printer, such as 192.168.1.50, without a port',
    )
  }
  if (fault === 'address') {
    throw invalid(
      'host',
      'The service may not print to this address: the operator lists the networks in PRINTER_NETWORKS',
    )
  }
}

export async function getPrinter(db: Db, scope: Scope, id: string, param?: string): Promise<Printer> {
  const printer = await store.find(db, scope, id)
  if (!printer) throw notFound('printer', param)
  return printer
}

export async function listPrinters(db: Db, scope: Scope, outletId: string | undefined): Promise<Printer[]> {
  const printers = await store.list(db, scope, outletId)
  if (printers.length === 0 && outletId !== undefined) await getOutlet(db, scope, outletId, 'outletId')
  return printers
}

type PrinterFacts = Pick<Printer, 'outletId' | 'kind' | 'host' | 'tillId' | 'fallbackPrinterId' | 'stations'>

/** Throws 400 for a field that the kind of printer does not have, or lacks. */
function requireFields({ kind, host, tillId }: Pick<PrinterFacts, 'kind' | 'host' | 'tillId'>) {
  if (kind === 'NETWORK') {
    if (host === null) throw malformed('host', 'A NETWORK printer needs a host: its name or address')
    if (tillId !== null) throw malformed('tillId', 'Only a TILL printer has a tillId; leave it out')
    return
  }
  if (tillId === null) throw malformed('tillId', 'A TILL printer needs a tillId: the till that prints on it')
  if (host !== null) throw malformed('host', 'Only a NETWORK printer has a host; leave it out')
}

type OutletPrinters = { printer: Printer | null; others: readonly Printer[] }

/**
 * Throws 404 or 422 unless till, fallback printer and stations fit. `printer` is null if it is new, and `others` are the other
 * printers of the outlet. A till that it has already may be revoked by now (B-printer-1).
 */
async function requireFitting(
  db: Db,
  scope: Scope,
  wanted: PrinterFacts,
  { printer, others }: OutletPrinters,
) {
  const { outletId, tillId, fallbackPrinterId, stations } = wanted
  const id = printer?.id ?? null
  const newTillId = tillId === printer?.tillId ? null : tillId
  const till = newTillId === null ? undefined : await store.findTill(db, scope, newTillId)
  if (newTillId !== null && !till) throw notFound('till', 'tillId')
  const isSelf = fallbackPrinterId !== null && fallbackPrinterId === id
  if (fallbackPrinterId !== null && !isSelf)
    await getPrinter(db, scope, fallbackPrinterId, 'fallbackPrinterId')
  if (till && till.outletId !== outletId)
    throw invalid('tillId', `Till ${till.name} belongs to another outlet`)
  if (isSelf)
    throw invalid('fallbackPrinterId', 'A printer cannot be its own fallback printer; choose another one')
  if (fallbackPrinterId !== null) {
    const fallback = others.find((other) => other.id === fallbackPrinterId)
    if (!fallback) throw invalid('fallbackPrinterId', 'The fallback printer belongs to another outlet')
    const fallbackOf = new Map(others.map((other) => [other.id, other.fallbackPrinterId]))
    if (id !== null && isCycle(id, fallbackPrinterId, fallbackOf)) {
      throw invalid(
        'fallbackPrinterId',
        `${fallback.name} falls back to this printer; choose another fallback printer`,
      )
    }
  }
  for (const [index, station] of stations.entries()) {
    const owner = others.find((other) => other.stations.includes(station))
    if (owner) {
      throw invalid(
        `stations[${index}]`,
        `${owner.name} already prints ${station}; take the station off it first`,
      )
    }
  }
}

/** Writes which printer prints each station of the outlet, where a sale reads it. */
async function mapStations(tx: Tx, scope: Scope, outletId: string) {
  const printers = await store.list(tx, scope, outletId)
  const stations: StationPrinters = Object.fromEntries(
    printers.flatMap(({ id, kind, stations }) => stations.map((station) => [station, { id, kind }] as const)),
  )
  await setStationPrinters(tx, scope, outletId, stations)
  touchBoard(scope, 'print', outletId)
}

export async function createPrinter(tx: Tx, scope: Scope, input: Required<PrinterIn>): Promise<Printer> {
  const { outletId } = input
  requireFields(input)
  await getOutlet(tx, scope, outletId, 'outletId')
  await lockForPrinters(tx, scope, outletId)
  const others = await store.list(tx, scope, outletId)
  const printer = { ...input, stations: [...new Set(input.stations)] }
  await requireFitting(tx, scope, printer, { printer: null, others })
  await getActiveOutlet(tx, scope, outletId)
  if (others.length >= MOST_PRINTERS) {
    throw invalid('outletId', `This outlet already has ${MOST_PRINTERS} printers; delete one first`)
  }
  const id = await store.insert(tx, scope, printer)
  await mapStations(tx, scope, outletId)
  return getPrinter(tx, scope, id)
}

export async function updatePrinter(tx: Tx, scope: Scope, id: string, patch: PrinterPatch): Promise<Printer> {
  const { outletId } = await getPrinter(tx, scope, id)
  await lockForPrinters(tx, scope, outletId)
  const printer = await getPrinter(tx, scope, id)
  const others = (await store.list(tx, scope, outletId)).filter((other) => other.id !== id)
  const change = patch.stations === undefined ? patch : { ...patch, stations: [...new Set(patch.stations)] }
  const wanted = { ...printer, ...change }
  requireFields(wanted)
  await requireFitting(tx, scope, wanted, { printer, others })
  await store.update(tx, scope, id, change)
  await mapStations(tx, scope, outletId)
  return getPrinter(tx, scope, id)
}

/** Deletes a printer. Jobs that wait for it fail; what it printed stays in the list (B-printer-5). */
export async function deletePrinter(tx: Tx, scope: Scope, id: string) {
  const { outletId } = await getPrinter(tx, scope, id)
  await lockForPrinters(tx, scope, outletId)
  await store.remove(tx, scope, id)
  await store.failWaiting(tx, scope, id)
  await mapStations(tx, scope, outletId)
  return { id, deleted: true as const }
}

export async function printTestPage(tx: Tx, scope: Scope, id: string): Promise<PrintJob> {
  const printer = await getPrinter(tx, scope, id)
  const rows = testRows(printer)
  return queueJob(tx, scope, printer, { kind: 'TEST', saleId: null, station: null, rows, opensDrawer: false })
}

/** Opens the drawer at a printer without a sale, and records the member and the reason (B-drawer-1). */
export async function openDrawer(
  tx: Tx,
  scope: Scope,
  id: string,
  reason: string,
): Promise<{ job: PrintJob; kick: DrawerKick }> {
  const printer = await getPrinter(tx, scope, id)
  if (!printer.opensDrawer)
    throw conflict(`No drawer is connected to ${printer.name}; choose the printer with the drawer`)
  const job = await queueJob(tx, scope, printer, {
    kind: 'DRAWER',
    saleId: null,
    station: null,
    rows: [],
    opensDrawer: true,
  })
  const { outletId } = printer
  const kick = {
    id: newId('drawerKick'),
    outletId,
    printerId: id,
    jobId: job.id,
    memberId: scope.actor.id,
    reason,
  }
  const stored = { ...kick, createdAt: scope.now }
  await store.insertKick(tx, scope, stored)
  return { job, kick: stored }
}

/** Lists the openings of a drawer without a sale, newest first. */
export async function listKicks(
  db: Db,
  scope: Scope,
  id: string,
  query: KickQuery,
): Promise<Page<DrawerKick>> {
  const kicks = pageOf(await store.listKicks(db, scope, id, query), query.limit)
  // The openings at a printer that was deleted can still be read.
  if (kicks.items.length === 0) await getPrinter(db, scope, id)
  return kicks
}
