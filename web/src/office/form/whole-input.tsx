import { type ComponentProps, useState } from 'react'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { classes } from '../../ui/classes.ts'
import { formatAmount } from '../../ui/rupiah.ts'
import { readWhole } from './whole-number.ts'

type WholeInputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type' | 'min' | 'max'> & {
  /** Null while the field is empty. A row without a number may have 0. */
  value: number | null
  onValue(value: number | null): void
  /** The text is no whole number. `value` stays the last one that was read. */
  onUnread?: (() => void) | undefined
  min?: number | undefined
  max?: number | undefined
  /** Shows 9100 instead of 9.100, for a number that counts nothing. */
  isPlain?: boolean | undefined
}

/**
 * A field for a whole number, shown like every amount. A field of the type `number` would read its own "1.000" as 1.
 * The form is not sent while the text is no whole number.
 */
export function WholeInput(props: WholeInputProps) {
  const { value, onValue, onUnread, min, max, isPlain = false, className, ref, ...rest } = props
  const t = useOfficeTexts()
  const [unread, setUnread] = useState<{ text: string; value: number | null } | null>(null)
  // Another value, such as that of a discarded draft, replaces the text.
  const isUnread = unread !== null && unread.value === value
  const write = isPlain ? String : formatAmount
  const shown = isUnread ? unread.text : value === null ? '' : write(value)
  const problem = () => {
    if (isUnread) return t('whole.only')
    if (value === null) return ''
    if (min !== undefined && value < min) return t('whole.least', { n: write(min) })
    return max !== undefined && value > max ? t('whole.most', { n: write(max) }) : ''
  }
  return (
    <input
      {...rest}
      ref={(field) => {
        field?.setCustomValidity(problem())
        if (typeof ref === 'function') ref(field)
      }}
      // The numeric keyboard of a phone has no minus.
      inputMode={min === undefined ? 'text' : 'numeric'}
      autoComplete="off"
      data-unread={isUnread}
      aria-invalid={isUnread || rest['aria-invalid']}
      className={classes(className, 'amount', isUnread && 'border-danger!')}
      value={shown}
      onChange={({ target: { value: text }, nativeEvent }) => {
        const number = readWhole(text, nativeEvent, isUnread ? null : shown)
        const isRead = number !== null || text === ''
        setUnread(isRead ? null : { text, value })
        if (isRead) onValue(number)
        else onUnread?.()
      }}
    />
  )
}
