import { isKasirError } from 'kasir-client'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { isOutcomeUnknown, isUnsettled } from '../../app/outcome.ts'
import { useRequestKey } from '../../app/request-key.ts'
import { useGateTexts } from '../../texts/module-gate/texts.ts'
import { fieldSentence } from '../partner-refusal.ts'
import { ProofCanceled } from '../proof/proof.ts'
import { type Draft, type DraftStore, draftOf } from './draft.ts'
import { changesBetween, fieldsInConflict, withStoredIds } from './record-changes.ts'

export type SaveOptions = {
  /** For the one request that must not be repeated. The same until the outcome is known. */
  idempotencyKey: string
}

/** The completed steps of a save. They are kept with the draft, so that a retry continues. */
export type Progress = {
  /** The results of the completed steps, such as the id of the created record. */
  done: Readonly<Record<string, string>>
  complete(step: string, result: string): void
}

export type FormRequest<V extends object> = {
  /** Names the record for its draft, such as `product:prd_1`. */
  name: string
  initial: V
  /** Writes the record. `changes` has the fields that differ from `initial`. */
  save(values: V, changes: Partial<V>, options: SaveOptions, progress: Progress): Promise<unknown>
  /** Reads the present record, to show the changes of another person. Only the form of a new record has none. */
  readAgain?: (() => Promise<V>) | undefined
  /** The field of a refusal that names none but explains itself in its details. */
  paramOf?(details: Readonly<Record<string, unknown>>, values: V): string | null
  onSaved(): void
}

export type FormState<V extends object> = {
  values: V
  set(change: Partial<V>): void
  isDirty: boolean
  isBusy: boolean
  /** The values are those of a draft; its last save may have succeeded. */
  restored: 'no' | 'unsaved' | 'mayBeSaved'
  /** No answer came to the last save: the values may have been saved. */
  mayBeSaved: boolean
  progress: Progress
  error: unknown
  /** The sentence about a field; null if it refused another one or none. */
  errorAt(param: string): string | null
  /** The field that the service refused, null if it named none. */
  refusedParam: string | null
  submit(): Promise<void>
  discard(): void
  /** The version of another person, while the member has to choose. */
  conflict: { theirs: V; fields: readonly (keyof V & string)[] } | null
  resolve(choice: 'mine' | 'theirs' | null): void
}

function refusedParamIn<V extends object>(
  error: unknown,
  { paramOf }: FormRequest<V>,
  values: V,
): string | null {
  if (!isKasirError(error)) return null
  return error.param ?? paramOf?.(error.details ?? {}, values) ?? null
}

/**
 * The values of a draft in a form of the present record. A field that was not typed shows what another person saved
 * meanwhile. A typed field is compared with the record that the member saw, so that a conflict is noticed.
 */
function restore<V extends object>(draft: Draft<V> | null, initial: V, isNew: boolean) {
  if (draft === null) return { base: initial, values: initial }
  // A new record has no other version. Its defaults, such as the outlet, are those that the member saw.
  if (isNew) return { base: initial, values: { ...initial, ...draft.values } }
  return {
    base: { ...initial, ...changesBetween(draft.values, draft.base) },
    values: { ...initial, ...changesBetween(draft.base, draft.values) },
  }
}

/** The values of a form, with the draft that an earlier visit of this tab left behind. */
function useValues<V extends object>(draft: DraftStore<V>, { initial, readAgain }: FormRequest<V>) {
  const [kept] = useState(draft.read)
  const [begun] = useState(() => restore(kept, initial, readAgain === undefined))
  const [record, setRecord] = useState(initial)
  const [base, setBase] = useState(begun.base)
  const [values, setValues] = useState<V>(begun.values)
  const [done, setDone] = useState(kept?.done ?? {})
  const [restored, setRestored] = useState<FormState<V>['restored']>(() => {
    if (kept === null) return 'no'
    return kept.mayBeSaved ? 'mayBeSaved' : 'unsaved'
  })
  const isDirty = useMemo(() => Object.keys(changesBetween(base, values)).length > 0, [base, values])
  useEffect(() => {
    if (isDirty || draft.read()?.key !== undefined) draft.keep({ base, values, done })
    else draft.drop()
  }, [isDirty, draft, base, values, done])
  const begin = (from: V, typed: V) => {
    setRecord(from)
    setBase(from)
    setValues(typed)
    setRestored('no')
  }
  /** Begins without the completed steps: the save is whole, or the draft is discarded. */
  const restart = (from: V) => {
    begin(from, from)
    setDone({})
  }
  const complete = (step: string, result: string) => {
    // A save continues after its page is closed, so the step is stored in the draft directly.
    draft.keep({ done: { ...draft.read()?.done, [step]: result } })
    setDone((now) => ({ ...now, [step]: result }))
  }
  return { record, base, values, setValues, isDirty, restored, progress: { done, complete }, begin, restart }
}

/** Keeps the key of a save in the draft until the outcome is known, and notes whether it may have succeeded. */
function useSend<V extends object>(draft: DraftStore<V>) {
  const [mayBeSaved, setMayBeSaved] = useState(() => draft.read()?.mayBeSaved === true)
  const withKey = useRequestKey({
    get: () => draft.read()?.key,
    set: (key) => draft.keep({ key }),
    delete: () => draft.keep({ key: undefined }),
  })
  const send = async (draftNow: Draft<V>, save: (options: SaveOptions) => Promise<unknown>) => {
    const mightBeSaved = draft.read()?.mayBeSaved === true
    // A page that is left before the answer finds this when it is opened again.
    draft.keep({ ...draftNow, mayBeSaved: true })
    try {
      await withKey((idempotencyKey) => save({ idempotencyKey }))
      draft.drop()
      setMayBeSaved(false)
    } catch (error) {
      const isUnsent = error instanceof ProofCanceled
      const isUnknown = (!isUnsent && isOutcomeUnknown(error)) || (mightBeSaved && isUnsettled(error))
      draft.keep({ mayBeSaved: isUnknown })
      setMayBeSaved(isUnknown)
      throw error
    }
  }
  const forget = () => {
    draft.drop()
    setMayBeSaved(false)
  }
  return { send, mayBeSaved, forget }
}

/** Runs a save and keeps its error. */
function useRun() {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(null)
    try {
      await work()
    } catch (caught) {
      setError(caught instanceof ProofCanceled ? null : caught)
    } finally {
      setBusy(false)
    }
  }
  return { error, isBusy, run, clearError: () => setError(null) }
}

/** The state of a form: the typed values, the errors of the service, and the version of another person. */
export function useForm<V extends object>(request: FormRequest<V>): FormState<V> {
  const { name, save, readAgain, onSaved } = request
  const [draft] = useState(() => draftOf<V>(name))
  const kept = useValues(draft, request)
  const { record, base, values, setValues, isDirty, restored, progress, begin, restart } = kept
  const { error, isBusy, run, clearError } = useRun()
  const [conflict, setConflict] = useState<FormState<V>['conflict']>(null)
  const { send, mayBeSaved, forget } = useSend(draft)
  const gate = useGateTexts()

  const write = async (from: V, to: V) => {
    await send({ base: from, values: to }, (options) => save(to, changesBetween(from, to), options, progress))
    restart(to)
    onSaved()
  }
  const submit = () =>
    run(async () => {
      if (readAgain === undefined) return write(base, values)
      const theirs = await readAgain()
      // A save whose answer was lost may have stored rows that have no id here yet. They are no conflict.
      const mine = withStoredIds(values, theirs)
      setValues(mine)
      const fields = fieldsInConflict(base, mine, theirs)
      if (fields.length > 0) setConflict({ theirs, fields })
      else await write(base, mine)
    })
  const resolve = (choice: 'mine' | 'theirs' | null) => {
    const theirs = conflict?.theirs
    setConflict(null)
    if (choice === null || theirs === undefined) return
    // Fields that only this member changed stay typed, and completed steps stay completed.
    begin(theirs, choice === 'mine' ? values : { ...values, ...changesBetween(base, theirs) })
    if (choice === 'mine') void run(() => write(theirs, values))
  }
  const refusedParam = refusedParamIn(error, request, values)
  return {
    values,
    set: useCallback((change: Partial<V>) => setValues((now) => ({ ...now, ...change })), [setValues]),
    isDirty,
    isBusy,
    restored,
    mayBeSaved,
    progress,
    error,
    errorAt: (param) => (isKasirError(error) && refusedParam === param ? fieldSentence(error, gate) : null),
    refusedParam,
    submit,
    discard: () => {
      forget()
      restart(record)
      clearError()
    },
    conflict,
    resolve,
  }
}
