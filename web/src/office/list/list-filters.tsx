import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { FIELD } from '../../ui/field.tsx'
import { useOfficeSearch } from '../search-state.ts'
import type { Filter } from './column.ts'

const TYPING_MS = 250

/** Search box and filters. Their state is the address, so that a link and the back button keep it. */
export function ListFilters({ searchLabel, filters }: { searchLabel?: string; filters: readonly Filter[] }) {
  const t = useOfficeTexts()
  const [address, setAddress] = useOfficeSearch()
  return (
    <div className="flex flex-wrap items-end gap-3">
      {searchLabel !== undefined && <SearchBox key="search" label={searchLabel} />}
      {filters.map(({ key, label, options, initial }) => (
        <label key={key} className="grid min-w-36 gap-1 text-sm font-medium max-sm:flex-1">
          {label}
          <select
            className={`${FIELD} font-normal`}
            value={address[key] ?? initial ?? ''}
            onChange={({ target }) =>
              void setAddress({ [key]: target.value === initial ? null : target.value })
            }
          >
            {initial === undefined && <option value="">{t('list.all')}</option>}
            {options.map(({ value, text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
      ))}
    </div>
  )
}

function SearchBox({ label }: { label: string }) {
  const [address, setAddress] = useOfficeSearch()
  const stored = address['q'] ?? ''
  const [typed, setTyped] = useState({ over: stored, text: stored, sent: stored })
  // What is typed stands until the address changes by another hand, such as the back button.
  const text = typed.over === stored || typed.sent === stored ? typed.text : stored
  const setText = (value: string) => setTyped({ ...typed, over: stored, text: value })
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (text === stored) return
    const send = () => {
      setTyped((now) => ({ ...now, sent: text }))
      void setAddress({ q: text }, true)
    }
    const timer = setTimeout(send, TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, stored, setAddress])
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      if (event.key !== 'F2' && (event.key !== '/' || isTyping)) return
      event.preventDefault()
      box.current?.focus()
    }
    window.addEventListener('keydown', focus)
    return () => window.removeEventListener('keydown', focus)
  }, [])
  return (
    <div className="relative min-w-56 flex-1">
      <Search aria-hidden size={18} className="pointer-events-none absolute top-3.5 left-3.5 text-muted" />
      <input
        ref={box}
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        className={`${FIELD} pl-10`}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </div>
  )
}
