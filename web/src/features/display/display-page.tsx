import { CircleCheckBig, Store } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type DisplayState, listenToDisplay, say } from '../../selling/display-state.ts'
import { useTexts } from '../../texts/texts.ts'
import { QrImage } from '../../ui/qr-image.tsx'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'

/** The customer display: a second window of this browser, on the screen that faces the customer. */
export function DisplayPage() {
  const t = useTexts()
  const [state, setState] = useState<DisplayState | null>(null)
  useEffect(() => {
    const stop = listenToDisplay((message) => {
      if (message.kind === 'state') setState(message.state)
    })
    say({ kind: 'ask' })
    return stop
  }, [])
  const isIdle = state === null || (state.lines.length === 0 && state.change === null)
  return (
    <div className="flex h-dvh flex-col">
      <header className="flex items-center gap-3 border-b bg-panel px-6 py-4 text-2xl font-bold">
        <Store aria-hidden size={30} className="text-brand" />
        <h1 className="truncate">{state?.business || 'Kasir'}</h1>
      </header>
      <main className="flex min-h-0 flex-1 flex-col">
        {isIdle && (
          <p className="m-auto p-8 text-center text-4xl font-semibold text-balance">{t('display.welcome')}</p>
        )}
        {!isIdle && state.change !== null && (
          <div className="m-auto grid justify-items-center gap-4 p-8 text-center">
            <CircleCheckBig aria-hidden size={88} strokeWidth={1.5} className="text-good" />
            <p role="status" className="text-3xl">
              {t('change')}{' '}
              <span className="block text-5xl font-bold tabular-nums sm:text-7xl">
                {formatRupiah(state.change)}
              </span>
            </p>
            <p className="text-2xl text-muted">{t('display.thanks')}</p>
          </div>
        )}
        {!isIdle && state.code && <Code {...state.code} />}
        {!isIdle && !state.code && state.change === null && <Lines state={state} />}
      </main>
    </div>
  )
}

function Code({ content, amount }: { content: string; amount: number }) {
  const t = useTexts()
  return (
    <div className="m-auto grid justify-items-center gap-5 p-6 text-center">
      <p className="text-3xl font-semibold">{t('code.scan')}</p>
      <QrImage content={content} label={t('code.image')} className="w-[min(60vh,80vw)]" />
      <p className="text-5xl font-bold tabular-nums sm:text-6xl">{formatRupiah(amount)}</p>
    </div>
  )
}

function Lines({ state }: { state: DisplayState }) {
  const t = useTexts()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.lastElementChild?.scrollIntoView({ block: 'nearest' })
  }, [state.lines.length])
  return (
    <>
      <ul ref={list} aria-label={t('cart')} className="min-h-0 flex-1 divide-y overflow-y-auto px-6 text-2xl">
        {state.lines.map((line) => (
          <li key={line.key} className="flex items-baseline gap-4 py-3">
            <span className="min-w-10 text-right tabular-nums">{line.quantity}</span>
            <span className="min-w-0 flex-1 break-words">{line.name}</span>
            <span className="amount">{formatAmount(line.amount)}</span>
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 border-t bg-panel px-6 py-6">
        <span className="text-3xl font-semibold">{t('total')}</span>
        <span className="amount text-5xl font-bold sm:text-6xl">{formatRupiah(state.total)}</span>
      </p>
    </>
  )
}
