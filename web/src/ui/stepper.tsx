import { Minus, Plus } from 'lucide-react'
import { Button } from './button.tsx'

type StepperProps = {
  value: number
  onValue(value: number): void
  less: string
  more: string
  min?: number
  max?: number
}

export function Stepper({ value, onValue, less, more, min = 1, max = 100_000 }: StepperProps) {
  return (
    <div className="flex items-center gap-1">
      <Button
        size="icon"
        className="size-14"
        aria-label={less}
        disabled={value <= min}
        onClick={() => onValue(value - 1)}
      >
        <Minus aria-hidden size={20} />
      </Button>
      <span className="min-w-10 text-center text-lg font-semibold tabular-nums">{value}</span>
      <Button
        size="icon"
        className="size-14"
        aria-label={more}
        disabled={value >= max}
        onClick={() => onValue(value + 1)}
      >
        <Plus aria-hidden size={20} />
      </Button>
    </div>
  )
}
