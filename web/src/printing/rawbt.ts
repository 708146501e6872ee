import { toBase64 } from './base64.ts'

/** Hands the bytes to RawBT, an Android app that prints them. It does not answer, so the outcome is unknown. */
export function handToRawBt(bytes: Uint8Array) {
  const link = document.createElement('a')
  link.href = `intent:base64,${toBase64(bytes)}#Intent;scheme=rawbt;package=ru.a402d.rawbtprinter;end;`
  link.click()
}
