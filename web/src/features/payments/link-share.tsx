import { Panel } from '../../office/panel.tsx'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { QrImage } from '../../ui/qr-image.tsx'
import { ShareLink } from '../../ui/share-link.tsx'
import { formatMoment } from '../../ui/time.ts'
import { formatMoney } from './looks.tsx'
import type { CheckoutSession } from './partner-records.ts'

/** The address of the payment page as a QR code, as text, and as a message. A QRIS code is paid by a banking app. */
export function LinkShare({ session }: { session: CheckoutSession }) {
  const t = usePaymentsTexts()
  const { hostedUrl, qrString, amount, currency, expiresAt } = session
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
        <ShareLink
          url={hostedUrl}
          message={message}
          phone={null}
          texts={{ copy: t('link.copy'), copied: t('link.copied'), whatsApp: t('link.whatsapp') }}
        />
      </div>
    </Panel>
  )
}
