import { Copy } from 'lucide-react'
import { useOfficeTexts } from '../texts/office/texts.ts'
import { Button } from '../ui/button.tsx'
import { copyText } from '../ui/copy-text.ts'

type SecretPageProps = {
  title: string
  text: string
  secret: string
  /** A complete command that uses the secret. */
  command?: string
  onDone(): void
}

/** A secret that the service shows once. */
export function SecretPage({ title, text, secret, command, onDone }: SecretPageProps) {
  const t = useOfficeTexts()
  return (
    <section className="grid max-w-3xl content-start gap-4 p-4 sm:p-6">
      <h1 className="text-2xl font-bold">{title}</h1>
      <p className="rounded-xl bg-warn-soft p-3 font-medium text-warn">{text}</p>
      <Copied label={t('secret')} value={secret} />
      {command !== undefined && <Copied label={t('secret.command')} value={command} />}
      <Button look="primary" className="justify-self-start" onClick={onDone}>
        {t('secret.done')}
      </Button>
    </section>
  )
}

function Copied({ label, value }: { label: string; value: string }) {
  const t = useOfficeTexts()
  return (
    <div className="grid gap-1.5">
      <h2 className="text-sm font-medium">{label}</h2>
      <div className="flex items-start gap-2 rounded-xl border bg-panel p-3">
        <code className="min-w-0 flex-1 text-sm break-all select-all">{value}</code>
        <Button
          look="quiet"
          size="icon"
          aria-label={t('secret.copy', { name: label })}
          onClick={() => void copyText(value)}
        >
          <Copy aria-hidden size={18} />
        </Button>
      </div>
    </div>
  )
}
