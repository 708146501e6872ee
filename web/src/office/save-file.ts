/** Saves a text or a file of the service on this device. */
export function saveFile(name: string, content: string | Blob) {
  const blob = typeof content === 'string' ? new Blob([content], { type: 'text/csv' }) : content
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
