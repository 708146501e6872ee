// The built-in parser reports the position of a JSON error only in some versions and for some errors.

const SPACE = /[ \t\n\r]*/y
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[^"\\\u0000-\u001f]*)*"/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

type Next = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd' | 'nothing'

/**
 * The position of the first JSON error, counted from 1; null if the text is JSON. Does not recurse, so deep nesting
 * is safe.
 */
export function jsonErrorIn(text: string): { line: number; column: number } | null {
  const open: ('{' | '[')[] = []
  let next: Next = 'value'
  let at = 0
  const skip = (token: RegExp): boolean => {
    token.lastIndex = at
    const isThere = token.test(text)
    if (isThere) at = token.lastIndex
    return isThere
  }
  const afterValue = (): Next => (open.length === 0 ? 'nothing' : 'commaOrEnd')
  const step = (): Next | null => {
    const mark = text[at]
    const inside = open.at(-1)
    if (next === 'key' || next === 'keyOrEnd') {
      if (mark === '}' && next === 'keyOrEnd') return close()
      return skip(STRING) ? 'colon' : null
    }
    if (next === 'colon') return mark === ':' ? advance('value') : null
    if (next === 'commaOrEnd') {
      if (mark === ',') return advance(inside === '{' ? 'key' : 'value')
      return mark === (inside === '{' ? '}' : ']') ? close() : null
    }
    if (next === 'nothing') return null
    if (mark === ']' && next === 'valueOrEnd') return close()
    if (mark === '{' || mark === '[') {
      open.push(mark)
      return advance(mark === '{' ? 'keyOrEnd' : 'valueOrEnd')
    }
    return skip(mark === '"' ? STRING : SCALAR) ? afterValue() : null
  }
  const advance = (then: Next): Next => {
    at += 1
    return then
  }
  const close = (): Next => {
    at += 1
    open.pop()
    return afterValue()
  }
  for (;;) {
    skip(SPACE)
    if (next === 'nothing' && at === text.length) return null
    const then = step()
    if (then === null) return positionOf(text, at)
    next = then
  }
}

function positionOf(text: string, at: number) {
  const before = text.slice(0, at)
  const lastBreak = before.lastIndexOf('\n')
  return { line: before.split('\n').length, column: at - lastBreak }
}
