import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'

type Target = { id: string; name: string; detail: string; onChoose(): void }

/** Chooses the target of a bill by one tap on a table or on another bill. */
export function TargetList({
  targets,
  empty,
  isBusy,
  error,
}: {
  targets: readonly Target[]
  empty: string
  isBusy: boolean
  error: unknown
}) {
  return (
    <div className="grid gap-2">
      <Failure error={error} />
      {targets.length === 0 && <p className="text-muted">{empty}</p>}
      {targets.map(({ id, name, detail, onChoose }) => (
        <Button
          key={id}
          content="spread"
          className="min-h-14 w-full text-left"
          disabled={isBusy}
          onClick={onChoose}
        >
          <span className="min-w-0 truncate font-semibold">{name}</span>
          <span className="shrink-0 text-sm text-muted tabular-nums">{detail}</span>
        </Button>
      ))}
    </div>
  )
}
