/**
 * One line of the report. A note needs no action. A warning needs a decision, but the service works either way.
 */
export type Finding = {
  name: string
  state: 'ok' | 'note' | 'warn' | 'fault'
  found: string
  remedy?: string
}
export type Report = (finding: Finding) => void

export const ok = (name: string, found: string): Finding => ({ name, state: 'ok', found })
export const note = (name: string, found: string): Finding => ({ name, state: 'note', found })
export const warn = (name: string, found: string, remedy: string): Finding => ({
  name,
  state: 'warn',
  found,
  remedy,
})
export const fault = (name: string, found: string, remedy: string): Finding => ({
  name,
  state: 'fault',
  found,
  remedy,
})
