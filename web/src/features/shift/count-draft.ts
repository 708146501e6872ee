import { useState } from 'react'
import { draftOf } from '../../office/form/draft.ts'
import type { Count } from './count.ts'

type DrawerCount = {
  count: Count
  /** The sum that was typed instead of notes and coins; null if none was. */
  typed: number | null
  notes: string
}
const EMPTY: DrawerCount = { count: {}, typed: null, notes: '' }

/** The count of a drawer before the shift is closed. It survives the lock of the till, which takes the page away. */
export function useCountDraft(shiftId: string) {
  const [draft] = useState(() => draftOf<DrawerCount>(`count ${shiftId}`))
  const [counted, setCounted] = useState<DrawerCount>(() => ({ ...EMPTY, ...draft.read()?.values }))
  const change = (part: Partial<DrawerCount>) => {
    const values = { ...counted, ...part }
    setCounted(values)
    draft.keep({ base: EMPTY, values })
  }
  return { ...counted, change, setTyped: (typed: number | null) => change({ typed }), drop: draft.drop }
}
