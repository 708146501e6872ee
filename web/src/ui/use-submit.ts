import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'

/** The state of a form that is sent once at a time. */
export function useSubmit(send: () => Promise<unknown>) {
  const { mutate, error, isPending, isSuccess } = useMutation({ mutationFn: send })
  return {
    error,
    isBusy: isPending,
    isDone: isSuccess,
    submit: (event: FormEvent) => {
      event.preventDefault()
      mutate()
    },
  }
}
