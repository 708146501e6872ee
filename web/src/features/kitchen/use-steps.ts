import { isKasirError, kitchenAdvanceTicket, kitchenRevertTicket, type Ticket } from 'kasir-client'
import { useCallback, useRef, useState } from 'react'
import { queries } from '../../app/queries.ts'
import { call } from '../../app/service.ts'
import { newKey } from '../../offline/key.ts'
import { type KitchenState, nextOf, stepped } from './tickets.ts'

/** Items of one ticket that all go from one state to the next. */
export type Step = { saleId: string; itemIds: readonly string[]; from: KitchenState }

const MOST_UNDONE = 20

/** Another screen was faster: the board shows its step and no error. */
const isDoneElsewhere = (error: unknown) =>
  isKasirError(error) && (error.code === 'CONFLICT' || error.code === 'NOT_FOUND')

function showStep(outletId: string, { saleId, itemIds }: Step, to: KitchenState) {
  queries.setQueryData<Ticket[]>(['kds', outletId], (tickets) =>
    tickets?.map((ticket) => (ticket.id === saleId ? stepped(ticket, itemIds, to) : ticket)),
  )
}

const endsOf = ({ from }: Step, way: 'advance' | 'back') =>
  way === 'advance' ? { from, to: nextOf(from) } : { from: nextOf(from), to: from }

function sendStep(step: Step, way: 'advance' | 'back') {
  const operation = way === 'advance' ? kitchenAdvanceTicket : kitchenRevertTicket
  const body = { id: step.saleId, from: endsOf(step, way).from, itemIds: [...step.itemIds] }
  return call(operation, body, { idempotencyKey: newKey() })
}

const read = (outletId: string) =>
  Promise.all(
    ['kds', 'serve', 'floor'].map((board) => queries.invalidateQueries({ queryKey: [board, outletId] })),
  )

/** Moves items through the kitchen, and undoes the last steps of this device. */
export function useSteps(outletId: string | undefined) {
  const [error, setError] = useState<unknown>(null)
  const [undoable, setUndoable] = useState(0)
  // Each press with what it moved, which is known once its answer is here.
  const done = useRef<Promise<readonly Step[]>[]>([])
  const turn = useRef<Promise<unknown>>(Promise.resolve())
  const waiting = useRef(0)

  const run = useCallback(
    (steps: readonly Step[], way: 'advance' | 'back'): Promise<Step[]> => {
      if (outletId === undefined) return Promise.resolve([])
      setError(null)
      // A read on its way would show the state before this step.
      void queries.cancelQueries({ queryKey: ['kds', outletId] })
      for (const step of steps) showStep(outletId, step, endsOf(step, way).to)
      waiting.current += 1
      // The next step is sent after the previous one has finished, because it starts from its result.
      const work = turn.current.then(async () => {
        const taken: Step[] = []
        for (const step of steps) {
          try {
            await sendStep(step, way)
            taken.push(step)
          } catch (caught) {
            if (!isDoneElsewhere(caught)) setError(caught)
          }
        }
        waiting.current -= 1
        if (waiting.current === 0) await read(outletId)
        return taken
      })
      turn.current = work
      return work
    },
    [outletId],
  )

  const advance = useCallback(
    async (steps: readonly Step[]) => {
      const work = run(steps, 'advance')
      done.current = [...done.current, work].slice(-MOST_UNDONE)
      setUndoable(done.current.length)
      if ((await work).length > 0) return
      done.current = done.current.filter((each) => each !== work)
      setUndoable(done.current.length)
    },
    [run],
  )
  const undo = useCallback(async () => {
    const last = done.current.at(-1)
    if (last === undefined) return
    done.current = done.current.slice(0, -1)
    setUndoable(done.current.length)
    await run(await last, 'back')
  }, [run])

  return { advance, undo, canUndo: undoable > 0, error }
}
