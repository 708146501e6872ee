/** Hands the bytes to RawBT, an Android app that prints them. It does not answer, so the outcome is unknown. */
export function handToRawBt(bytes: Uint8Array) {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const link = document.createElement('a')
  link.href = `intent:base64,${btoa(text)}#Intent;scheme=rawbt;package=ru.a402d.rawbtprinter;end;`
  link.click()
}
