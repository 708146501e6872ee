import { isKasirError } from 'kasir-client'
import { LoaderCircle } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useCart } from '../../selling/cart-store.ts'
import type { PaymentCode } from '../../selling/payment-code.ts'
import { useRegister } from '../../selling/register-store.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QrImage } from '../../ui/qr-image.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatTime } from '../../ui/time.ts'
import { cancelCode, checkCode, leaveBillOpen } from './payment-code.ts'

const PAUSE_MS = 2_000

/** The QR code of a bill, until it is paid or has ended. */
export function CodePanel({ code }: { code: PaymentCode }) {
  const t = useTexts()
  const show = useRegister((register) => register.show)
  const error = useChecks(code)
  const [cancelError, setCancelError] = useState<unknown>(null)
  const cancel = () => {
    setCancelError(null)
    cancelCode(code).catch(setCancelError)
  }
  // A request to cancel may have got no answer before the page was left: it is sent again under its key.
  useEffect(() => {
    const { code: kept } = useCart.getState()
    if (kept?.isCancelled) cancelCode(kept).catch(setCancelError)
  }, [])
  // A page that was opened again shows the code as well.
  useEffect(() => show({ panel: 'pay', isSheetOpen: true, done: null }), [show])
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex min-h-16 items-center gap-2 border-b px-4 py-2">
        <h2 className="flex-1 text-lg font-semibold">{t('tender.QRIS')}</h2>
        <p className="amount text-2xl font-bold whitespace-nowrap">{formatRupiah(code.amount)}</p>
      </div>
      <div className="grid min-h-0 flex-1 content-start justify-items-center gap-4 overflow-y-auto p-4">
        {!code.isCancelled && code.qrString !== null && (
          <QrImage content={code.qrString} label={t('code.image')} className="w-full max-w-72" />
        )}
        {code.qrString === null && <Notice text={t('code.none')} />}
        <p role="status" className="flex items-center gap-2 text-center text-balance text-muted">
          <LoaderCircle aria-hidden size={18} className="shrink-0 animate-spin motion-reduce:animate-none" />
          {code.isCancelled ? t('code.cancelling') : t('code.waiting', { time: formatTime(code.expiresAt) })}
        </p>
        {error !== null &&
          (isKasirError(error) ? <Failure error={error} /> : <Notice text={t('code.unknown')} />)}
        <Failure error={cancelError} />
      </div>
      <div className="grid gap-2 border-t p-3">
        <p className="text-sm text-muted">{t('code.leaveHint')}</p>
        <div className="grid grid-cols-2 gap-2">
          <Button size="large" className="px-1 text-sm leading-snug" onClick={leaveBillOpen}>
            {t('code.leave')}
          </Button>
          <Button
            look="danger"
            size="large"
            className="px-1 text-sm leading-snug"
            disabled={code.isCancelled && cancelError === null}
            onClick={cancel}
          >
            {t('code.cancel')}
          </Button>
        </div>
      </div>
    </div>
  )
}

/** Checks the code every two seconds until it has ended. Returns why the last check failed, or null. */
function useChecks(code: PaymentCode): unknown {
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    let isShown = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const check = async () => {
      const caught: unknown = await checkCode(code).then(
        () => null,
        (failure: unknown) => failure,
      )
      if (!isShown) return
      setError(caught)
      timer = setTimeout(() => void check(), PAUSE_MS)
    }
    void check()
    return () => {
      isShown = false
      clearTimeout(timer)
    }
  }, [code])
  return error
}
