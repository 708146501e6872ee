import type { Printer, PrinterCreate, PrinterUpdate } from 'kasir-client'

/** What the form of a printer changes. The paper is a text, like the value of every choice. */
export type PrinterForm = Pick<
  Printer,
  | 'outletId'
  | 'kind'
  | 'name'
  | 'host'
  | 'tillId'
  | 'codePage'
  | 'opensDrawer'
  | 'stations'
  | 'fallbackPrinterId'
> & { port: number | null; paper: '58' | '80' }

export const newPrinter = (outletId: string): PrinterForm => ({
  outletId,
  kind: 'NETWORK',
  name: '',
  host: null,
  port: 9_100,
  tillId: null,
  paper: '80',
  codePage: 'WPC1252',
  opensDrawer: false,
  stations: [],
  fallbackPrinterId: null,
})

export const toPrinterForm = (printer: Printer): PrinterForm => ({
  outletId: printer.outletId,
  kind: printer.kind,
  name: printer.name,
  host: printer.host,
  port: printer.port,
  tillId: printer.tillId,
  paper: printer.paper === 58 ? '58' : '80',
  codePage: printer.codePage,
  opensDrawer: printer.opensDrawer,
  stations: printer.stations,
  fallbackPrinterId: printer.fallbackPrinterId,
})

const paperOf = (paper: PrinterForm['paper']) => (paper === '58' ? 58 : 80)

/** A printer of the network has a host and a port, a printer of a till has its till (B-printer-1). */
export function createPrinterBody(values: PrinterForm): PrinterCreate {
  const { host, port, tillId, paper, ...rest } = values
  const place = values.kind === 'NETWORK' ? { host, ...(port !== null && { port }) } : { tillId }
  return { ...rest, ...place, paper: paperOf(paper) }
}

export function updatePrinterBody(changes: Partial<PrinterForm>): PrinterUpdate {
  const { outletId: _outletId, kind: _kind, host, port, tillId, paper, ...rest } = changes
  return {
    ...rest,
    ...(host != null && { host }),
    ...(port != null && { port }),
    ...(tillId != null && { tillId }),
    ...(paper !== undefined && { paper: paperOf(paper) }),
  }
}
