import { CloudUpload, FileDown, FileUp } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useIsOnline } from '../../app/line.ts'
import { useSession } from '../../app/session.ts'
import { carryFile, readCarry } from '../../offline/carry.ts'
import { countUnsent, takeRows, useOutbox } from '../../offline/outbox.ts'
import { isUnsent } from '../../offline/outbox-row.ts'
import { resumeAbsent } from '../../offline/sender.ts'
import { useCounterTexts } from '../../texts/counter/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OutboxEntry } from './outbox-entry.tsx'

/** The sales that wait for the service, each with the reason and its actions. */
export function OutboxDialog({ onClose }: { onClose(): void }) {
  const t = useTexts()
  const c = useCounterTexts()
  const rows = useOutbox((outbox) => outbox.rows)
  const isOnline = useIsOnline()
  const unsent = rows.filter(isUnsent)
  const aside = rows.filter((row) => !isUnsent(row))
  return (
    <Dialog title={c('outbox.title')} onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-muted">{c(isOnline ? 'outbox.online' : 'outbox.offline')}</p>
        {!window.isSecureContext && <p className="text-warn">{t('page.plain')}</p>}
        {unsent.length === 0 ? (
          <Empty icon={CloudUpload} title={c('outbox.empty')} text={c('outbox.emptyHint')} />
        ) : (
          <Rows label={c('outbox.unsent', { n: countUnsent(rows) })}>
            {unsent.map((row) => (
              <OutboxEntry key={row.ref} row={row} onLeave={onClose} />
            ))}
          </Rows>
        )}
        {aside.length > 0 && (
          <Rows label={c('outbox.aside')}>
            {aside.map((row) => (
              <OutboxEntry key={row.ref} row={row} onLeave={onClose} />
            ))}
          </Rows>
        )}
        <Carry />
      </div>
    </Dialog>
  )
}

function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className="grid gap-1">
      <h3 className="font-semibold">{label}</h3>
      <ul aria-label={label} className="divide-y">
        {children}
      </ul>
    </section>
  )
}

/** Takes unsent sales to a till that reaches the service, as a file. */
function Carry() {
  const c = useCounterTexts()
  const account = useSession((session) => session.account)
  const rows = useOutbox((outbox) => outbox.rows)
  const picker = useRef<HTMLInputElement>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [taken, setTaken] = useState<number | null>(null)
  if (account === null) return null
  const save = () => {
    const file = new Blob([carryFile(account.id, account.businessName, rows)], { type: 'application/json' })
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file)
    link.download = `kasir-${new Date().toISOString().slice(0, 16).replaceAll(/\D/g, '')}.json`
    link.click()
    // The download has begun by then.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  }
  const take = async (file: File) => {
    const reading = readCarry(await file.text(), account.id)
    setTaken(null)
    setRefusal(
      reading.kind === 'rows'
        ? null
        : c(`carry.${reading.kind}`, {
            business: reading.kind === 'otherWorkspace' ? reading.business : '',
          }),
    )
    if (reading.kind !== 'rows') return
    setTaken(await takeRows(reading.rows))
    await resumeAbsent()
  }
  return (
    <section className="grid gap-3 border-t pt-4" aria-labelledby="carry">
      <h3 id="carry" className="font-semibold">
        {c('carry')}
      </h3>
      <p className="text-sm text-muted">{c('carry.text')}</p>
      <div className="grid gap-2 sm:grid-cols-2">
        <Button disabled={rows.length === 0} onClick={save}>
          <FileDown aria-hidden size={20} />
          {c('carry.save')}
        </Button>
        <Button onClick={() => picker.current?.click()}>
          <FileUp aria-hidden size={20} />
          {c('carry.take')}
        </Button>
      </div>
      <input
        ref={picker}
        type="file"
        accept="application/json,.json"
        aria-label={c('carry.file')}
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = ''
          if (file) void take(file)
        }}
      />
      {refusal !== null && <Notice text={refusal} />}
      <p role="status" className="text-good empty:hidden">
        {taken !== null && c('carry.taken', { n: taken })}
      </p>
    </section>
  )
}
