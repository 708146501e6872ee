import type { Page } from 'playwright-core'

/** A scanner sends a key every 5 ms and ends with Enter. The time of a key is the scanner's, however busy the page is. */
export const scan = (page: Page, code: string) =>
  page.evaluate(`{
    const target = document.activeElement ?? document.body
    const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
    let at = performance.now()
    for (const key of [...${JSON.stringify(code)}, 'Enter']) {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
      Object.defineProperty(event, 'timeStamp', { value: (at += 5) })
      if (target.dispatchEvent(event) && key.length === 1 && target instanceof HTMLInputElement) {
        value.set.call(target, target.value + key)
        target.dispatchEvent(new Event('input', { bubbles: true }))
      }
    }
  }`)
