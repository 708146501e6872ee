// Runs in the page before the app: measures what a cashier sees, by the clock of the page.
{
  const painted = () =>
    new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))))
  const tile = () => document.querySelector('ul[aria-label="Barang"] button')
  const until = async (find) => {
    const end = performance.now() + 60_000
    while (performance.now() < end) {
      const found = find()
      if (found) return found
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    throw new Error('the register did not get there')
  }
  const buttonOf = (name) =>
    [...document.querySelectorAll('button')].find((each) => each.textContent.includes(name) && !each.disabled)
  const cartText = () => document.querySelector('ul[aria-label="Keranjang"]')?.textContent ?? ''
  const isPaid = () =>
    [...document.querySelectorAll('[role=status]')].some((each) => each.textContent.includes('Kembali'))

  const probes = {
    /** Milliseconds from the start of the navigation until the first tile is painted and the page answers a tap. */
    firstTile: new Promise((resolve) => {
      const look = () => {
        if (!tile()) return false
        void painted().then(resolve)
        return true
      }
      const watch = new MutationObserver(() => look() && watch.disconnect())
      watch.observe(document, { childList: true, subtree: true })
    }),
    /** Milliseconds from a scanner's Enter until the cart that shows the goods is painted. */
    async scan(code) {
      const before = cartText()
      const target = document.activeElement ?? document.body
      let at = performance.now()
      const press = (key) => {
        const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
        Object.defineProperty(event, 'timeStamp', { value: (at += 5) })
        target.dispatchEvent(event)
      }
      for (const key of code) press(key)
      const began = performance.now()
      const shown = new Promise((resolve) => {
        const watch = new MutationObserver(() => {
          if (cartText() === before) return
          watch.disconnect()
          void painted().then(resolve)
        })
        watch.observe(document.body, { childList: true, subtree: true, characterData: true })
      })
      press('Enter')
      return (await shown) - began
    },
    async clear() {
      const empty = document.querySelector('button[aria-label="Kosongkan keranjang"]')
      empty?.click()
      await until(() => cartText() === '')
    },
    /** Sells `count` times one of the first product for exact cash, by the buttons of the page. */
    async sell(count) {
      for (let sold = 0; sold < count; sold += 1) {
        ;(await until(tile)).click()
        await until(() => !isPaid() && cartText() !== '')
        ;(await until(() => buttonOf('Uang pas'))).click()
        await until(isPaid)
      }
    },
    taps: [],
  }
  // A tap that is painted within one frame of 16 ms makes no entry.
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === 'click') probes.taps.push(duration)
  }).observe({ type: 'event', durationThreshold: 16 })
  window.probes = probes
}
