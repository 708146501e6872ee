import { useEffect, useRef } from 'react'
import { NO_READING, readKey } from './scan.ts'

const isTextField = (element: Element | null): element is HTMLInputElement =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement

/** Puts a value into a field of React as if it had been typed. */
function fill(field: HTMLInputElement, value: string) {
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
  Object.getOwnPropertyDescriptor(prototype.prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** The attributes of a field that takes scanned codes. */
export const TAKES_CODE = { 'data-takes-code': '' }

/**
 * Calls `onScan` for each scan, wherever the focus is; a field that had the focus stays as it was before. A field with
 * `TAKES_CODE` gets the code instead.
 */
export function useScanner(onScan: (code: string) => void) {
  const latest = useRef(onScan)
  latest.current = onScan
  useEffect(() => {
    let reading = NO_READING
    let before: { field: HTMLInputElement; value: string } | null = null
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return
      const step = readKey(reading, event.key, event.timeStamp)
      if (step.reading.text.length === 1) {
        const field = document.activeElement
        before = isTextField(field) ? { field, value: field.value } : null
      }
      reading = step.reading
      if (step.code === null) return
      event.preventDefault()
      event.stopImmediatePropagation()
      const takesCode = before !== null && 'takesCode' in before.field.dataset
      if (before) fill(before.field, takesCode ? step.code : before.value)
      if (!takesCode) latest.current(step.code)
    }
    // Before any field or button sees the key.
    window.addEventListener('keydown', press, { capture: true })
    return () => window.removeEventListener('keydown', press, { capture: true })
  }, [])
}
