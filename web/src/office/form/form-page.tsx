import { useBlocker } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { useSession } from '../../app/session.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { BackButton } from '../back-button.tsx'
import { ModuleFailure } from '../module-gate.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import type { FieldSpec } from './field-spec.ts'
import { FormField } from './form-field.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { RestoredNotice } from './restored-notice.tsx'
import type { FormState } from './use-form.ts'

type FormPageProps<V extends object> = {
  title: string
  form: FormState<V>
  fields: readonly FieldSpec<V>[]
  /** The names of values that only `before` and `children` show. */
  partLabels?: { [K in keyof V]?: string }
  /** Parts of the form that no field kind covers, above and below the fields. */
  before?: ReactNode
  children?: ReactNode
  /** Buttons beside the title, such as delete. */
  actions?: ReactNode
  /** The member may look but not change. */
  isReadOnly?: boolean
  /** A field says what the service would refuse. */
  isRefused?: boolean
  submitText?: string
  /** The page is a form alone, without a list to go back to. */
  hasList?: boolean
}

/** The one pattern of every form: fields, errors at their field, save bar, guard of unsaved changes. */
export function FormPage<V extends object>(props: FormPageProps<V>) {
  const {
    title,
    form,
    fields,
    partLabels,
    before,
    children,
    actions,
    isReadOnly = false,
    isRefused = false,
    submitText,
    hasList = true,
  } = props
  const t = useOfficeTexts()
  const element = useRef<HTMLFormElement>(null)
  useFocusOnRefusal(element, form)
  // A text that cannot be read is in no value.
  const isUnsaved = () => form.isDirty || !!element.current?.querySelector('[data-unread=true]')
  const blocker = useBlocker({
    // A session that ends leads to the sign-in page; the draft waits for the return.
    shouldBlockFn: () => isUnsaved() && !form.isBusy && useSession.getState().member !== null,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void form.submit()
  }
  const isAtField = fields.some(({ name }) => form.errorAt(name) !== null)
  return (
    <form ref={element} onSubmit={submit} className="grid min-h-full grid-rows-[auto_1fr_auto]">
      <header className="flex flex-wrap items-center gap-2 px-2 pt-3 sm:px-4 sm:pt-5">
        {hasList ? <BackButton /> : <span className="w-2" />}
        <h1 className="min-w-0 flex-1 text-xl font-bold wrap-anywhere sm:text-2xl">{title}</h1>
        {actions}
      </header>
      <div className="w-full max-w-4xl space-y-6 px-4 py-4 sm:px-6">
        <RestoredNotice form={form} />
        {before}
        <fieldset disabled={isReadOnly || form.isBusy} className="grid min-w-0 gap-4 sm:grid-cols-2">
          <legend className="sr-only">{title}</legend>
          {fields.map(
            (spec) =>
              spec.isShown?.(form.values) !== false && <FormField key={spec.name} spec={spec} form={form} />,
          )}
        </fieldset>
        {children}
      </div>
      {!isReadOnly && (
        <footer className="sticky bottom-0 grid gap-2 border-t bg-panel px-4 py-3 sm:px-6">
          {!isAtField && <ModuleFailure error={form.error} isWrite />}
          <div className="flex items-center gap-3">
            <Button type="submit" look="primary" disabled={form.isBusy || isRefused} className="min-w-32">
              {submitText ?? t('form.save')}
            </Button>
            {form.isDirty && <span className="text-sm text-muted">{t('form.unsaved')}</span>}
          </div>
        </footer>
      )}
      {form.conflict && (
        <ConflictDialog form={form} fields={fields} partLabels={partLabels} conflict={form.conflict} />
      )}
      {blocker.status === 'blocked' && (
        <LeaveDialog
          mayBeSaved={form.mayBeSaved}
          onStay={blocker.reset}
          onLeave={() => {
            form.discard()
            blocker.proceed()
          }}
        />
      )}
    </form>
  )
}

/** Leads to the field that the service refused. */
function useFocusOnRefusal<V extends object>(
  element: React.RefObject<HTMLFormElement | null>,
  form: FormState<V>,
) {
  const { refusedParam, error } = form
  useEffect(() => {
    if (refusedParam === null || error === null) return
    element.current?.querySelector<HTMLElement>(`[data-param="${CSS.escape(refusedParam)}"]`)?.focus()
  }, [refusedParam, error, element])
}
