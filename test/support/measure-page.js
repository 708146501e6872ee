// Runs in the page: everything of a receipt that can be measured, in pixels. An expression, and no module.
;(() => {
  const style = getComputedStyle(document.body)
  const box = document.body.getBoundingClientRect()
  const inner = {
    left: box.left + Number.parseFloat(style.paddingLeft),
    right: box.right - Number.parseFloat(style.paddingRight),
  }
  const texts = [...document.querySelectorAll('body p, body h2, body span')]
    .filter((element) => element.children.length === 0)
    .map((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      const rects = [...range.getClientRects()].filter((rect) => rect.width > 0)
      return {
        text: element.textContent ?? '',
        isFigure: element.previousElementSibling !== null && element.tagName === 'SPAN',
        left: Math.min(...rects.map((rect) => rect.left)),
        right: Math.max(...rects.map((rect) => rect.right)),
        top: Math.min(...rects.map((rect) => rect.top)),
        lines: new Set(rects.map((rect) => Math.round(rect.top))).size,
      }
    })
  const pen = document.createElement('canvas').getContext('2d')
  if (pen) pen.font = `1000px ${style.fontFamily}`
  const { scrollWidth, clientWidth } = document.documentElement
  return {
    paper: box.width,
    height: box.height,
    inner,
    texts,
    scrollWidth,
    clientWidth,
    // How wide a letter of the face is, in thousandths of its height: DejaVu Sans Mono has 602.
    letter: Math.round(pen?.measureText('M').width ?? 0),
  }
})()
