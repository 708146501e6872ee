import { type Pixels, pixelsGet, pixelsUpdate } from 'kasir-client'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useRequestKey } from '../../app/request-key.ts'
import { call } from '../../app/service.ts'
import { ConfirmDialog } from '../../office/confirm-dialog.tsx'
import type { FieldSpec } from '../../office/form/field-spec.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { May, useMay } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { type MarketingTranslate, useMarketingTexts } from '../../texts/marketing/texts.ts'
import { Button } from '../../ui/button.tsx'

const IDS = [
  'socialPixelId',
  'socialTestEventCode',
  'analyticsId',
  'adsConversionId',
  'adsPurchaseLabel',
  'shortVideoPixelId',
] as const
type PixelValues = Pick<Pixels, 'enabled' | (typeof IDS)[number]> & {
  /** What is typed now: the service never answers the stored token. */
  socialCapiAccessToken: string | null
}

const read = async () => (await call(pixelsGet)).pixels
const toValues = (pixels: Pixels): PixelValues => ({
  enabled: pixels.enabled,
  ...(Object.fromEntries(IDS.map((name) => [name, pixels[name]])) as Pick<Pixels, (typeof IDS)[number]>),
  socialCapiAccessToken: null,
})

/** The ids of tracking pixels, and the token by which sales are reported to social media. */
export function PixelsForm() {
  const [version, setVersion] = useState(0)
  const record = useRecord(['pixels', version], read)
  if (!record.data) return <RecordState query={record} ErrorView={ModuleFailure} />
  return <PixelsFormPage key={version} pixels={record.data} onSaved={() => setVersion((now) => now + 1)} />
}

function PixelsFormPage({ pixels, onSaved }: { pixels: Pixels; onSaved(): void }) {
  const m = useMarketingTexts()
  const may = useMay()
  const form = useForm<PixelValues>({
    name: 'marketing:pixels',
    initial: toValues(pixels),
    save: (_values, changes, options) => call(pixelsUpdate, changes, options),
    readAgain: async () => toValues(await read()),
    onSaved,
  })
  return (
    <FormPage
      title={m('pixels')}
      form={form}
      hasList={false}
      isReadOnly={!may('pixels.update')}
      fields={fieldsIn(m, pixels)}
      actions={pixels.socialCapiAccessTokenSet && <RemoveToken isDirty={form.isDirty} onDone={onSaved} />}
    />
  )
}

function RemoveToken({ isDirty, onDone }: { isDirty: boolean; onDone(): void }) {
  const m = useMarketingTexts()
  const send = useRequestKey()
  const [isOpen, setOpen] = useState(false)
  return (
    <May route="pixels.update">
      <Button look="quiet" className="text-danger!" disabled={isDirty} onClick={() => setOpen(true)}>
        <Trash2 aria-hidden size={18} />
        {m('pixel.removeToken')}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={m('pixel.removeToken')}
          verb={m('pixel.removeToken')}
          run={() =>
            send((idempotencyKey) => call(pixelsUpdate, { socialCapiAccessToken: null }, { idempotencyKey }))
          }
          onDone={onDone}
          onClose={() => setOpen(false)}
        >
          <p>{m('pixel.removeTokenText')}</p>
        </ConfirmDialog>
      )}
    </May>
  )
}

function tokenHint(m: MarketingTranslate, pixels: Pixels): string {
  if (!pixels.socialCapiAccessTokenSet) return m('pixel.tokenNone')
  const end = pixels.socialCapiAccessTokenLast4
  return end === null ? m('pixel.tokenHidden') : m('pixel.tokenSet', { end: `••••${end}` })
}

const fieldsIn = (m: MarketingTranslate, pixels: Pixels): readonly FieldSpec<PixelValues>[] => [
  { kind: 'switch', name: 'enabled', label: m('pixel.enabled'), isWide: true },
  { kind: 'text', name: 'socialPixelId', label: m('pixel.social'), maxLength: 64 },
  {
    kind: 'password',
    name: 'socialCapiAccessToken',
    label: m('pixel.token'),
    hint: tokenHint(m, pixels),
    maxLength: 500,
    autoComplete: 'new-password',
  },
  { kind: 'text', name: 'socialTestEventCode', label: m('pixel.testCode'), maxLength: 64 },
  { kind: 'text', name: 'analyticsId', label: m('pixel.analytics'), maxLength: 64 },
  { kind: 'text', name: 'adsConversionId', label: m('pixel.ads'), maxLength: 64 },
  { kind: 'text', name: 'adsPurchaseLabel', label: m('pixel.adsLabel'), maxLength: 64 },
  { kind: 'text', name: 'shortVideoPixelId', label: m('pixel.video'), maxLength: 64 },
]
