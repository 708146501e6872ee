import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../app/session.ts'

export type LeaveQuestion = { onStay(): void; onLeave(): void }

/** Asks before a button or a link leaves a map that is not saved, and discards it if the person leaves. */
export function useLeaving(discard: () => void) {
  const [isUnsaved, setUnsaved] = useState(false)
  const [go, setGo] = useState<(() => void) | null>(null)
  const blocker = useBlocker({
    // A session that ends leads to the sign-in page.
    shouldBlockFn: () => isUnsaved && useSession.getState().member !== null,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  })
  const leave = (next: () => void) => {
    if (isUnsaved) setGo(() => next)
    else next()
  }
  let question: LeaveQuestion | null = null
  if (go !== null)
    question = {
      onStay: () => setGo(null),
      onLeave: () => {
        discard()
        setGo(null)
        go()
      },
    }
  if (blocker.status === 'blocked')
    question = {
      onStay: blocker.reset,
      onLeave: () => {
        discard()
        blocker.proceed()
      },
    }
  return { leave, question, setUnsaved }
}
