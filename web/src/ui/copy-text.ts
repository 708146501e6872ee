/**
 * Copies a text, and returns whether it did. On plain http browsers have no clipboard API, so a selection is copied there.
 */
export async function copyText(text: string): Promise<boolean> {
  const isCopied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  )
  return isCopied || copySelected(text)
}

function copySelected(text: string): boolean {
  const holder = document.createElement('span')
  holder.textContent = text
  holder.className = 'fixed top-0 whitespace-pre opacity-0 select-text'
  document.body.append(holder)
  document.getSelection()?.selectAllChildren(holder)
  const isCopied = document.execCommand('copy')
  holder.remove()
  return isCopied
}
