import { useEffect, useState } from 'react'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { formatPercent, parsePercent } from '../percent.ts'

type Common = {
  id: string
  className: string
  required: boolean
  'data-param': string
  'aria-invalid'?: boolean
}

/** Basis points, typed as percent with at most two decimals. The form is not sent while the text is no percentage. */
export function PercentInput({
  common,
  bps,
  set,
}: {
  common: Common
  bps: number | null
  set(value: number | null): void
}) {
  const t = useOfficeTexts()
  const [text, setText] = useState(bps === null ? '' : formatPercent(bps))
  useEffect(() => {
    if (parsePercent(text) !== bps) setText(bps === null ? '' : formatPercent(bps))
    // Only a change from outside replaces the text.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [bps])
  const isUnread = text !== '' && parsePercent(text) === null
  return (
    <div className="relative">
      <input
        {...common}
        ref={(field) => field?.setCustomValidity(isUnread ? t('percent.only') : '')}
        data-unread={isUnread}
        aria-invalid={isUnread || common['aria-invalid']}
        inputMode="decimal"
        autoComplete="off"
        className={`${common.className} amount pr-10`}
        value={text}
        onChange={({ target }) => {
          const typed = target.value.replaceAll(/[^\d.,]/g, '')
          setText(typed)
          const read = parsePercent(typed)
          if (read !== null || typed === '') set(read)
        }}
      />
      <span
        aria-hidden
        className="pointer-events-none absolute inset-y-0 right-4 flex items-center text-muted"
      >
        %
      </span>
    </div>
  )
}
