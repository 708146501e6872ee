import { uploadsSign } from 'kasir-client'
import { ImagePlus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { call } from '../app/service.ts'
import { photoAddress } from '../selling/shelf.ts'
import { useOfficeTexts } from '../texts/office/texts.ts'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/failure.tsx'
import { Notice } from '../ui/notice.tsx'

/** Uploads a picture and returns its public address, null if the service refused the file. */
async function upload(file: File): Promise<string | null> {
  const signed = await call(uploadsSign, { contentType: file.type || 'application/octet-stream' })
  const answer = await fetch(photoAddress(signed.url) ?? signed.url, {
    method: 'PUT',
    headers: { 'content-type': signed.contentType },
    body: file,
  })
  return answer.ok ? signed.publicUrl : null
}

type PhotoFieldProps = { label: string; url: string | null; onUrl(url: string | null): void }

/** The picture of a record. */
export function PhotoField({ label, url, onUrl }: PhotoFieldProps) {
  const t = useOfficeTexts()
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [isRefused, setRefused] = useState(false)
  const take = async (file: File | undefined) => {
    if (file === undefined) return
    setBusy(true)
    setError(null)
    try {
      const uploaded = await upload(file)
      setRefused(uploaded === null)
      if (uploaded !== null) onUrl(uploaded)
    } catch (caught) {
      setError(caught)
    } finally {
      setBusy(false)
      if (input.current) input.current.value = ''
    }
  }
  return (
    <section aria-label={label} className="grid gap-2">
      <h2 className="text-lg font-semibold">{label}</h2>
      <div className="flex flex-wrap items-center gap-3">
        {url !== null && (
          <img src={photoAddress(url) ?? ''} alt={label} className="size-24 rounded-xl border object-cover" />
        )}
        <input
          ref={input}
          type="file"
          accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
          aria-label={t('photo.choose')}
          className="sr-only"
          tabIndex={-1}
          onChange={({ target }) => void take(target.files?.[0])}
        />
        <Button disabled={isBusy} onClick={() => input.current?.click()}>
          <ImagePlus aria-hidden size={20} />
          {t(isBusy ? 'photo.busy' : 'photo.choose')}
        </Button>
        {url !== null && (
          <Button look="quiet" onClick={() => onUrl(null)}>
            <Trash2 aria-hidden size={18} />
            {t('photo.remove')}
          </Button>
        )}
      </div>
      {isRefused && <Notice text={t('photo.refused')} />}
      <Failure error={error} />
    </section>
  )
}
