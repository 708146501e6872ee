import { useState } from 'react'
import { whatsAppAddress } from '../selling/whatsapp.ts'
import { Button } from './button.tsx'
import { copyText } from './copy-text.ts'

type ShareLinkProps = {
  url: string
  message: string
  phone: string | null
  texts: { copy: string; copied: string; whatsApp: string }
}

/** Copies an address, or opens WhatsApp with a message that has it. */
export function ShareLink({ url, message, phone, texts }: ShareLinkProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => setCopied(await copyText(url))
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => void copy()}>{isCopied ? texts.copied : texts.copy}</Button>
      <a
        href={whatsAppAddress(phone, message)}
        target="_blank"
        rel="noreferrer"
        className="inline-flex min-h-12 items-center rounded-xl border border-control/60 bg-raised px-4 font-medium"
      >
        {texts.whatsApp}
      </a>
    </div>
  )
}
