/** The names of the fields of `V` whose values are a `T`. */
type NamesOf<V, T> = { [K in keyof V]-?: V[K] extends T ? K : never }[keyof V] & string

export type Option = { value: string; text: string }

type Common<V> = {
  label: string
  hint?: string
  isRequired?: boolean
  /** Hides the field while it has no meaning; its value stays. */
  isShown?(values: V): boolean
  /** A completed step of the save used the value: it can no longer change. */
  isLocked?: boolean
  /** Takes the whole width of the form. */
  isWide?: boolean
}

/** One field of a form. Its name must be a field of the client's type, and its kind must fit that type. */
export type FieldSpec<V> = Common<V> &
  (
    | {
        kind: 'text' | 'email' | 'tel' | 'url' | 'password' | 'date' | 'time' | 'datetime-local' | 'area'
        name: NamesOf<V, string | null | undefined>
        maxLength?: number
        autoComplete?: string
        /** The height of an area, in lines. */
        rows?: number
      }
    | { kind: 'money'; name: NamesOf<V, number | null | undefined> }
    | {
        kind: 'whole'
        name: NamesOf<V, number | null | undefined>
        min?: number
        max?: number
        /** Shows 9100 instead of 9.100. */
        isPlain?: boolean
      }
    /** Shows basis points as percent. */
    | { kind: 'percent'; name: NamesOf<V, number | null | undefined> }
    | { kind: 'switch'; name: NamesOf<V, boolean | undefined> }
    | {
        kind: 'choice'
        name: NamesOf<V, string | null | undefined>
        options: readonly Option[]
        none?: string
      }
    | { kind: 'many'; name: NamesOf<V, readonly string[] | undefined>; options: readonly Option[] }
  )
