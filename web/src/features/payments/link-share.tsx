import { Panel } from '../../office/panel.tsx'
import { momentText } from '../../office/partner-data.ts'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { Notice } from '../../ui/notice.tsx'
import { QrImage } from '../../ui/qr-image.tsx'
import { ShareLink } from '../../ui/share-link.tsx'
import { formatMoney } from './looks.tsx'
import type { CheckoutSession } from './partner-records.ts'

/** A longer text has no QR code; QRIS codes have at most 512 characters. */
const MOST_IN_QR = 2_000

/** The address of the payment page as a QR code, as text, and as a message. A QRIS code is paid by a banking app. */
export function LinkShare({ session }: { session: CheckoutSession }) {
  const t = usePaymentsTexts()
  const { hostedUrl, qrString, amount, currency, expiresAt } = session
  const content = qrString ?? hostedUrl
  if (content === null) return <Notice text={t('link.noUrl')} />
  return (
    <Panel title={t('link.share')}>
      <div className="grid justify-items-start gap-3 p-4">
        <p>{t(qrString === null ? 'link.shareText' : 'link.qrisText')}</p>
        {content.length <= MOST_IN_QR && (
          <QrImage
            content={content}
            label={t(qrString === null ? 'link.qr' : 'link.qris')}
            className="w-48"
          />
        )}
        {hostedUrl !== null && (
          <>
            <code className="text-sm wrap-anywhere select-all">{hostedUrl}</code>
            <ShareLink
              url={hostedUrl}
              message={t('link.message', {
                amount: formatMoney(amount, currency),
                date: momentText(expiresAt),
                url: hostedUrl,
              })}
              phone={null}
              texts={{ copy: t('link.copy'), copied: t('link.copied'), whatsApp: t('link.whatsapp') }}
            />
          </>
        )}
      </div>
    </Panel>
  )
}
