import { useQuery } from '@tanstack/react-query'
import { type Printer, tillsList } from 'kasir-client'
import { call } from '../../app/service.ts'
import type { FieldSpec, Option } from '../../office/form/field-spec.ts'
import type { FormState } from '../../office/form/use-form.ts'
import { useOutletOptions } from '../../office/use-outlet-options.ts'
import { type OfficeTranslate, useOfficeTexts } from '../../texts/office/texts.ts'
import { usePrinters, useStations } from './printer-data.ts'
import type { PrinterForm } from './printer-values.ts'

const isNetwork = ({ kind }: PrinterForm) => kind === 'NETWORK'

const named = (rows: readonly { id: string; name: string }[] = []) =>
  rows.map(({ id, name }) => ({ value: id, text: name }))

/** The fields of a printer. Its outlet and its kind never change (B-printer-1). */
export function usePrinterFields(
  { values }: FormState<PrinterForm>,
  printer: Printer | null,
): readonly FieldSpec<PrinterForm>[] {
  const t = useOfficeTexts()
  const tills = useQuery({ queryKey: ['tills'], queryFn: async () => (await call(tillsList)).tills })
  const printers = usePrinters()
  const stations = [...new Set([...useStations(), ...(printer?.stations ?? [])])]
  const here = ({ outletId }: { outletId: string }) => outletId === values.outletId
  return [
    ...placeFields(t, useOutletOptions(), {
      isNew: printer === null,
      tills: named(tills.data?.filter(here)),
    }),
    ...paperFields(
      t,
      stations,
      named(printers.data?.filter((each) => here(each) && each.id !== printer?.id)),
    ),
  ]
}

const placeFields = (
  t: OfficeTranslate,
  outlets: readonly Option[],
  { isNew, tills }: { isNew: boolean; tills: readonly Option[] },
): readonly FieldSpec<PrinterForm>[] => [
  {
    kind: 'text',
    name: 'name',
    label: t('printer.name'),
    hint: t('printer.nameHint'),
    isRequired: true,
    maxLength: 80,
  },
  {
    kind: 'choice',
    name: 'outletId',
    label: t('outlet'),
    isRequired: true,
    options: outlets,
    isShown: () => isNew && outlets.length > 1,
  },
  {
    kind: 'choice',
    name: 'kind',
    label: t('printer.kind'),
    isRequired: true,
    options: (['NETWORK', 'TILL'] as const).map((value) => ({ value, text: t(`printerKind.${value}`) })),
    isShown: () => isNew,
  },
  {
    kind: 'text',
    name: 'host',
    label: t('printer.host'),
    hint: t('printer.hostHint'),
    isRequired: true,
    maxLength: 253,
    isShown: isNetwork,
  },
  {
    kind: 'whole',
    name: 'port',
    label: t('printer.port'),
    isRequired: true,
    min: 1,
    max: 65_535,
    isPlain: true,
    isShown: isNetwork,
  },
  {
    kind: 'choice',
    name: 'tillId',
    label: t('printer.till'),
    hint: t('printer.tillHint'),
    isRequired: true,
    options: tills,
    isShown: (form) => !isNetwork(form),
  },
]

const paperFields = (
  t: OfficeTranslate,
  stations: readonly string[],
  fallbacks: readonly Option[],
): readonly FieldSpec<PrinterForm>[] => [
  {
    kind: 'choice',
    name: 'paper',
    label: t('outlet.paper'),
    isRequired: true,
    options: ['58', '80'].map((value) => ({ value, text: `${value} mm` })),
  },
  {
    kind: 'many',
    name: 'stations',
    label: t('printer.stations'),
    hint: t(stations.length === 0 ? 'printer.noStations' : 'printer.stationsHint'),
    options: stations.map((value) => ({ value, text: value })),
    isWide: true,
  },
  {
    kind: 'choice',
    name: 'fallbackPrinterId',
    label: t('printer.fallback'),
    hint: t('printer.fallbackHint'),
    none: t('printer.noFallback'),
    options: fallbacks,
  },
  {
    kind: 'choice',
    name: 'codePage',
    label: t('printer.letters'),
    hint: t('printer.lettersHint'),
    isRequired: true,
    options: (['WPC1252', 'PC437', 'ASCII'] as const).map((value) => ({
      value,
      text: t(`codePage.${value}`),
    })),
  },
  { kind: 'switch', name: 'opensDrawer', label: t('printer.opensDrawer') },
]
