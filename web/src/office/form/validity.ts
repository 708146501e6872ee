/** Shows what is wrong with the first invalid field of rows that are not in a form element. */
export const isValid = (rows: HTMLElement | null): boolean =>
  rows?.querySelector<HTMLInputElement>('input:invalid')?.reportValidity() ?? true
