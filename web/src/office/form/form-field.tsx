import { type ReactNode, useId } from 'react'
import { classes } from '../../ui/classes.ts'
import { FIELD } from '../../ui/field.tsx'
import { formatAmount, readAmount } from '../../ui/rupiah.ts'
import { FieldLabel } from './field-label.tsx'
import type { FieldSpec } from './field-spec.ts'
import { ManyField } from './many-field.tsx'
import { PercentInput } from './percent-input.tsx'
import type { FormState } from './use-form.ts'
import { WholeInput } from './whole-input.tsx'

type FormFieldProps<V extends object> = { spec: FieldSpec<V>; form: FormState<V> }

/** A field made from its spec, with the error of the service below. */
export function FormField<V extends object>({ spec, form }: FormFieldProps<V>) {
  const id = useId()
  const error = form.errorAt(spec.name)
  const hint = spec.hint
  const set = (value: unknown) => form.set({ [spec.name]: value } as Partial<V>)
  const common = {
    id,
    'data-param': spec.name,
    required: spec.isRequired ?? false,
    disabled: spec.isLocked ?? false,
    'aria-invalid': error !== null,
    'aria-describedby':
      classes(error !== null && `${id}-error`, hint !== undefined && `${id}-hint`) || undefined,
    className: classes(FIELD, error !== null && 'border-danger!'),
  }
  const value = (form.values as Record<string, unknown>)[spec.name]
  if (spec.kind === 'switch')
    return (
      <FieldLabel spec={spec} id={id} error={error} isInline>
        <input
          {...common}
          type="checkbox"
          className="size-6 shrink-0 accent-brand"
          checked={value === true}
          onChange={({ target }) => set(target.checked)}
        />
      </FieldLabel>
    )
  if (spec.kind === 'many')
    return <ManyField spec={spec} error={error} chosen={value as string[]} set={set} />
  return (
    <FieldLabel spec={spec} id={id} error={error}>
      <Input spec={spec} common={common} value={value} set={set} />
    </FieldLabel>
  )
}

type Common = { id: string; className: string; required: boolean; disabled: boolean; 'data-param': string }
type InputProps<V> = { spec: FieldSpec<V>; common: Common; value: unknown; set(value: unknown): void }

function Input<V extends object>({ spec, common, value, set }: InputProps<V>): ReactNode {
  // An empty field that may be empty is null for the service.
  const setText = (text: string) => set(text === '' && spec.isRequired !== true ? null : text)
  const text = typeof value === 'string' ? value : ''
  const number = typeof value === 'number' ? value : null
  switch (spec.kind) {
    case 'area':
      return (
        <textarea
          {...common}
          rows={spec.rows ?? 3}
          maxLength={spec.maxLength}
          className={`${common.className} py-2.5`}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )
    case 'choice':
      return (
        <select {...common} value={text} onChange={({ target }) => setText(target.value)}>
          {(spec.none !== undefined || text === '') && <option value="">{spec.none ?? ''}</option>}
          {spec.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )
    case 'money':
      return (
        <input
          {...common}
          inputMode="numeric"
          autoComplete="off"
          className={`${common.className} amount`}
          value={number === null ? '' : formatAmount(number)}
          onChange={({ target, nativeEvent }) => set(readAmount(target.value, nativeEvent))}
        />
      )
    case 'whole':
      return (
        <WholeInput
          {...common}
          min={spec.min}
          max={spec.max}
          isPlain={spec.isPlain}
          value={number}
          onValue={set}
        />
      )
    case 'percent':
      return <PercentInput common={common} bps={number} set={set} />
    default:
      return (
        <input
          {...common}
          type={'kind' in spec ? spec.kind : 'text'}
          maxLength={'maxLength' in spec ? spec.maxLength : undefined}
          autoComplete={'autoComplete' in spec ? spec.autoComplete : 'off'}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )
  }
}
