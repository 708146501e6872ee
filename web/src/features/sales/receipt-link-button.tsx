import { useMutation } from '@tanstack/react-query'
import { isKasirError, type Sale, salesCreateReceiptLink, salesRevokeReceiptLink } from 'kasir-client'
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { useSalesTexts } from '../../texts/sales/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { QrImage } from '../../ui/qr-image.tsx'
import { ShareLink } from '../../ui/share-link.tsx'
import { formatMoment } from '../../ui/time.ts'

type ReceiptLinkButtonProps = { sale: Sale; isOnline: boolean }

/** Opens the dialog of the public address of a receipt. */
export function ReceiptLinkButton({ sale, isOnline }: ReceiptLinkButtonProps) {
  const t = useSalesTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button className="col-span-2 px-2" disabled={!isOnline} onClick={() => setOpen(true)}>
        <Link2 aria-hidden size={18} />
        {t('link.share')}
      </Button>
      {isOpen && <ReceiptLinkDialog sale={sale} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Creates an address, which the service shows once, and revokes every address of the receipt. */
function ReceiptLinkDialog({ sale, onClose }: { sale: Sale; onClose(): void }) {
  const t = useSalesTexts()
  const creation = useMutation({ mutationFn: () => call(salesCreateReceiptLink, { id: sale.id }) })
  const revocation = useMutation({
    mutationFn: () => call(salesRevokeReceiptLink, { id: sale.id }),
    onSuccess: creation.reset,
  })
  const isBusy = creation.isPending || revocation.isPending
  const hasNone = isKasirError(revocation.error) && revocation.error.code === 'NOT_FOUND'
  return (
    <Dialog
      title={t('link.title', { number: sale.number })}
      onClose={onClose}
      actions={
        <>
          <Button className="flex-1 px-2" look="danger" disabled={isBusy} onClick={() => revocation.mutate()}>
            {t('link.revoke')}
          </Button>
          <Button
            className="flex-1 px-2"
            look="primary"
            disabled={isBusy}
            onClick={() => {
              revocation.reset()
              creation.mutate()
            }}
          >
            {t('link.create')}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p>{t('link.text')}</p>
        {creation.data && <CreatedLink sale={sale} {...creation.data} />}
        {revocation.isSuccess && <p role="status">{t('link.revoked')}</p>}
        <Failure error={creation.error} />
        <Failure error={revocation.error} sentence={hasNone ? t('link.none') : null} />
      </div>
    </Dialog>
  )
}

function CreatedLink({ sale, url, expiresAt }: { sale: Sale; url: string; expiresAt: string }) {
  const t = useSalesTexts()
  return (
    <div className="grid justify-items-start gap-3">
      <p role="status" className="rounded-xl bg-warn-soft p-3 font-medium text-warn">
        {t('link.once', { date: formatMoment(expiresAt) })}
      </p>
      <code className="wrap-anywhere select-all">{url}</code>
      <QrImage content={url} label={t('link.qr')} className="w-44" />
      <ShareLink
        url={url}
        message={t('link.message', { number: sale.number, url })}
        phone={sale.customer?.phone ?? null}
        texts={{ copy: t('link.copy'), copied: t('link.copied'), whatsApp: t('link.whatsapp') }}
      />
    </div>
  )
}
