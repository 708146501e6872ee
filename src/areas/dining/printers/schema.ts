import { type Static, Type } from 'typebox'
import {
  CODE_PAGES,
  FAULTS,
  JOB_KINDS,
  JOB_REASONS,
  JOB_STATUSES,
  PAPER_WIDTHS,
  type PaperWidth,
  PRINTER_KINDS,
} from '../../../core/printing.ts'
import {
  FilterId,
  Id,
  Instant,
  Nullable,
  PageQuery,
  Text,
  Timestamps,
  Words,
} from '../../../platform/http/shapes.ts'

const Host = Type.String({
  minLength: 1,
  maxLength: 253,
  description: 'Name or address of a NETWORK printer, inside the networks that the operator allows',
})
const TillId = { ...Id, description: 'The enrolled till that writes to a TILL printer' }
const FallbackId = {
  ...Id,
  description: 'Takes over from this printer; another printer of the same outlet',
}
const Settable = {
  name: Text(80),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  paper: Type.Unsafe<PaperWidth>({
    type: 'integer',
    minimum: 58,
    maximum: 80,
    enum: [...PAPER_WIDTHS],
    description: 'Millimetres',
  }),
  codePage: Words(CODE_PAGES, {
    description: 'WPC1252 fits most printers; PC437 and ASCII are for those that print wrong letters',
  }),
  opensDrawer: Type.Boolean({ description: 'A cash drawer is connected to the printer' }),
  stations: Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
    maxItems: 50,
    description: 'Kitchen stations whose items it prints. Each station of an outlet has one printer',
  }),
}
const Kind = Words(PRINTER_KINDS, {
  description: 'The service writes to a NETWORK printer over TCP. A till writes to a TILL printer',
})

export const PrinterIn = Type.Object(
  {
    outletId: Id,
    kind: Kind,
    name: Settable.name,
    host: Type.Optional(Nullable(Host)),
    port: Type.Optional({ ...Settable.port, default: 9100 }),
    paper: Type.Optional({ ...Settable.paper, default: 80 }),
    codePage: Type.Optional({ ...Settable.codePage, default: 'WPC1252' }),
    opensDrawer: Type.Optional({ ...Settable.opensDrawer, default: false }),
    stations: Type.Optional({ ...Settable.stations, default: [] }),
    tillId: Type.Optional(Nullable(TillId)),
    fallbackPrinterId: Type.Optional(Nullable(FallbackId)),
  },
  { title: 'PrinterCreate' },
)
export const PrinterPatch = Type.Partial(
  Type.Object({ ...Settable, host: Host, tillId: TillId, fallbackPrinterId: Nullable(FallbackId) }),
  { title: 'PrinterUpdate' },
)
export const Printer = Type.Object(
  {
    id: Id,
    outletId: Id,
    kind: Kind,
    ...Settable,
    host: Nullable(Type.String()),
    tillId: Nullable(TillId),
    fallbackPrinterId: Nullable(FallbackId),
    ...Timestamps,
  },
  { title: 'Printer' },
)
export const PrinterQuery = Type.Object({ outletId: FilterId })

export const PrintJob = Type.Object(
  {
    id: Id,
    outletId: Id,
    printerId: Type.String({ description: 'The printer that prints it, which may be a fallback printer' }),
    fallbackFrom: Nullable({
      ...Id,
      description: 'The printer that failed, if a fallback printer took over',
    }),
    saleId: Nullable(Id),
    station: Nullable(Type.String()),
    kind: Words(JOB_KINDS),
    status: Words(JOB_STATUSES),
    attempts: Type.Integer({ minimum: 0 }),
    reason: Nullable(Words(JOB_REASONS, { description: 'Why the last try failed' })),
    reprint: Type.Boolean({ description: 'A person asked to print it again' }),
    copy: Type.Boolean({
      description: 'The paper says SALINAN: an earlier try printed the job, or may have printed it',
    }),
    dueAt: { ...Instant, description: 'When the next try is due, while it is queued' },
    printedAt: Nullable(Instant),
    ...Timestamps,
  },
  { title: 'PrintJob' },
)
export const JobQuery = Type.Object({
  printerId: FilterId,
  status: Type.Optional(Words(JOB_STATUSES)),
  ...PageQuery,
})
export const JobPatch = Type.Object(
  {
    status: Words(['printing', 'printed', 'failed'] as const, {
      description: '`printing` takes the job; `printed` and `failed` end it',
    }),
    reason: Type.Optional(
      Words(Object.keys(FAULTS) as (keyof typeof FAULTS)[], {
        description: 'Why it failed; UNREACHABLE and DRIVER_BUSY say that no part of it was printed',
      }),
    ),
  },
  { title: 'PrintJobUpdate' },
)
export const ContentQuery = Type.Object({
  format: Type.Optional(Words(['escpos', 'html', 'text'], { default: 'escpos' })),
})

export const DrawerIn = Type.Object({ reason: Text(300) }, { title: 'DrawerOpening' })
export const DrawerKick = Type.Object(
  {
    id: Id,
    outletId: Id,
    printerId: Id,
    jobId: Id,
    memberId: Type.String({ description: 'The member or API key that opened the drawer' }),
    reason: Text(300),
    createdAt: Instant,
  },
  { title: 'DrawerKick' },
)
export const KickQuery = Type.Object(PageQuery)

export type PrinterIn = Static<typeof PrinterIn>
export type PrinterPatch = Static<typeof PrinterPatch>
export type Printer = Static<typeof Printer>
export type PrintJob = Static<typeof PrintJob>
export type JobQuery = Static<typeof JobQuery>
export type JobPatch = Static<typeof JobPatch>
export type DrawerKick = Static<typeof DrawerKick>
export type KickQuery = Static<typeof KickQuery>
