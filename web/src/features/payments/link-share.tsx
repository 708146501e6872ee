import { useState } from 'react'
import { Panel } from '../../office/panel.tsx'
import { whatsAppAddress } from '../../selling/whatsapp.ts'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { Button } from '../../ui/button.tsx'
import { QrImage } from '../../ui/qr-image.tsx'
import { formatMoment } from '../../ui/time.ts'
import { formatMoney } from './looks.tsx'
import type { CheckoutSession } from './partner-records.ts'

/** The address of the payment page as a QR code, as text, and as a message. A QRIS code is paid by a banking app. */
export function LinkShare({ session }: { session: CheckoutSession }) {
  const t = usePaymentsTexts()
  const [isCopied, setCopied] = useState(false)
  const { hostedUrl, qrString, amount, currency, expiresAt } = session
  const copy = async () => {
    await navigator.clipboard?.writeText(hostedUrl)
    setCopied(true)
  }
  const message = t('link.message', {
    amount: formatMoney(amount, currency),
    date: formatMoment(expiresAt),
    url: hostedUrl,
  })
  return (
    <Panel title={t('link.share')}>
      <div className="grid justify-items-start gap-3 p-4">
        <p>{t(qrString === null ? 'link.shareText' : 'link.qrisText')}</p>
        <QrImage
          content={qrString ?? hostedUrl}
          label={t(qrString === null ? 'link.qr' : 'link.qris')}
          className="w-48"
        />
        <code className="text-sm wrap-anywhere select-all">{hostedUrl}</code>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => void copy()}>{t(isCopied ? 'link.copied' : 'link.copy')}</Button>
          <a
            href={whatsAppAddress(null, message)}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-12 items-center rounded-xl border border-control/60 bg-raised px-4 font-medium"
          >
            {t('link.whatsapp')}
          </a>
        </div>
      </div>
    </Panel>
  )
}
