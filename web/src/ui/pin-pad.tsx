import { Delete } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { beep } from './beep.ts'
import { Button } from './button.tsx'
import { useScanner } from './use-scanner.ts'

const LEAST = 4
const MOST = 8
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const

type PinPadProps = {
  confirm: string
  isBusy: boolean
  onPin(pin: string): void
}

/** Ten digits for a finger, and the same on the keyboard. The PIN itself is never shown. */
export function PinPad({ confirm, isBusy, onPin }: PinPadProps) {
  const t = useTexts()
  const [pin, setPin] = useState('')
  const press = (digit: string) => setPin((now) => (now.length < MOST ? now + digit : now))
  const form = useRef<HTMLFormElement>(null)
  const drop = () => setPin((now) => now.slice(0, -1))
  // The digits of goods are no PIN. The sound says that nothing was added.
  useScanner(() => {
    setPin('')
    beep()
  })
  useEffect(() => {
    const type = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.target instanceof HTMLInputElement) return
      if (/^\d$/.test(event.key)) press(event.key)
      // The button that had the focus may be disabled by now.
      else if (event.key === 'Enter') form.current?.requestSubmit()
      else if (event.key === 'Backspace') drop()
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('keydown', type, { capture: true })
    return () => window.removeEventListener('keydown', type, { capture: true })
  }, [])
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || pin.length < LEAST) return
    setPin('')
    onPin(pin)
  }
  return (
    <form ref={form} className="mx-auto grid w-full max-w-xs gap-3" onSubmit={send}>
      <p role="status" className="flex h-8 items-center justify-center gap-3">
        <span className="sr-only">{t('pin.typed', { n: pin.length })}</span>
        {Array.from({ length: Math.max(LEAST, pin.length) }, (_each, at) => (
          <span
            key={at}
            aria-hidden
            className={`size-4 rounded-full border-2 border-control ${at < pin.length ? 'bg-text' : ''}`}
          />
        ))}
      </p>
      <div role="group" aria-label={t('pin')} className="grid grid-cols-3 gap-2">
        {KEYS.map((key) => (
          <Button key={key} size="large" className="text-2xl tabular-nums" onClick={() => press(key)}>
            {key}
          </Button>
        ))}
        <span />
        <Button size="large" className="text-2xl tabular-nums" onClick={() => press('0')}>
          0
        </Button>
        <Button size="large" aria-label={t('keypad.drop')} onClick={drop}>
          <Delete aria-hidden size={22} className="mx-auto" />
        </Button>
      </div>
      <Button look="primary" size="large" type="submit" disabled={isBusy || pin.length < LEAST}>
        {confirm}
      </Button>
    </form>
  )
}
