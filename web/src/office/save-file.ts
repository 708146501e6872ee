/** Saves a table or another file on this device. */
export function saveFile(name: string, file: string | Blob) {
  const url = URL.createObjectURL(typeof file === 'string' ? new Blob([file], { type: 'text/csv' }) : file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
