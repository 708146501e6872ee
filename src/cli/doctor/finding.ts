/** One line of the report. A note is worth knowing and asks for nothing. */
export type Finding = { name: string; state: 'ok' | 'note' | 'fault'; found: string; remedy?: string }
export type Report = (finding: Finding) => void

export const ok = (name: string, found: string): Finding => ({ name, state: 'ok', found })
export const note = (name: string, found: string): Finding => ({ name, state: 'note', found })
export const fault = (name: string, found: string, remedy: string): Finding => ({
  name,
  state: 'fault',
  found,
  remedy,
})
