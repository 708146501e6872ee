import { Delete } from 'lucide-react'
import { useTexts } from '../texts/texts.ts'
import { Button } from './button.tsx'

const KEYS = ['7', '8', '9', '4', '5', '6', '1', '2', '3', '000', '0'] as const
const MOST = 1_000_000_000_000

type KeypadProps = { value: number | null; onValue(value: number | null): void }

/** Digits for a finger. It never takes the focus from the amount field, so keyboard and finger mix. */
export function Keypad({ value, onValue }: KeypadProps) {
  const t = useTexts()
  const press = (digits: string) => {
    const next = Number(`${value ?? ''}${digits}`)
    if (next < MOST) onValue(next)
  }
  const drop = () => {
    const rest = String(value ?? '').slice(0, -1)
    onValue(rest === '' ? null : Number(rest))
  }
  return (
    <div className="grid grid-cols-3 gap-2" onPointerDown={(event) => event.preventDefault()}>
      {KEYS.map((key) => (
        <Button key={key} tabIndex={-1} className="min-h-13 text-xl tabular-nums" onClick={() => press(key)}>
          {key}
        </Button>
      ))}
      <Button tabIndex={-1} className="min-h-13" aria-label={t('keypad.drop')} onClick={drop}>
        <Delete aria-hidden size={22} />
      </Button>
    </div>
  )
}
