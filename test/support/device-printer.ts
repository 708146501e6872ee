import { readFileSync } from 'node:fs'
import type { BrowserContext } from 'playwright-core'
import { printedBy } from './escpos.ts'

const DEVICES = readFileSync(new URL('fake-devices.js', import.meta.url), 'utf8')

/** What a printer at the browser does: `busy` is claimed by a driver, `lost` is unplugged with the next bytes. */
type State = 'ready' | 'busy' | 'unplugged' | 'lost' | 'coverOpen' | 'paperOut' | 'stuck'
type DialogAnswer = 'chosen' | 'cancelled' | 'refused'

const ASK_STATUS = Buffer.of(0x10, 0x04, 0x02, 0x10, 0x04, 0x04)
const CUT = Buffer.of(0x1d, 0x56, 1)
const KICK = Buffer.of(0x1b, 0x40, 0x1b, 0x70, 0, 25, 250)
const STATUS: Partial<Record<State, number[]>> = { coverOpen: [0x16, 0x12], paperOut: [0x32, 0x72] }

/** A printer that the pages of a browser reach by Web Serial, WebUSB or Web Bluetooth. No browser can be given a real one. */
export async function attachPrinter(context: BrowserContext) {
  let state: State = 'ready'
  let dialog: DialogAnswer = 'chosen'
  let isGranted = false
  let received = Buffer.alloc(0)
  let onWrite = () => {}
  let opened = 0
  const take = async (bytes: Buffer) => {
    if (bytes.equals(ASK_STATUS)) return STATUS[state] ?? [0x12, 0x12]
    onWrite()
    if (state === 'stuck') await new Promise(() => {})
    if (state === 'lost') {
      received = Buffer.concat([received, bytes.subarray(0, bytes.length / 2)])
      state = 'unplugged'
      return 'lost'
    }
    received = Buffer.concat([received, bytes])
    return []
  }
  const answers: Record<string, (value: string) => unknown> = {
    choose: () => {
      isGranted ||= dialog === 'chosen'
      return dialog
    },
    isGranted: () => isGranted && state !== 'unplugged',
    open: () => {
      opened += 1
      return state
    },
    write: (value) => take(Buffer.from(value, 'base64')),
    close: () => null,
  }
  await context.exposeBinding('devicePrinter', (_source, operation: string, value: string) =>
    answers[operation]?.(value),
  )
  await context.addInitScript(DEVICES)
  const papers = (): string[] => {
    const found: string[] = []
    let rest = received
    for (let at = rest.indexOf(CUT); at >= 0; at = rest.indexOf(CUT)) {
      const paper = rest.subarray(0, at + CUT.length)
      rest = rest.subarray(at + CUT.length)
      const kick = paper.indexOf(KICK)
      const printed =
        kick < 0 ? paper : Buffer.concat([paper.subarray(0, kick), paper.subarray(kick + KICK.length)])
      found.push(
        printedBy(printed)
          .lines.map(({ text }) => text)
          .join('\n'),
      )
    }
    return found
  }
  return {
    be: (next: State) => {
      state = next
    },
    answerDialog: (next: DialogAnswer) => {
      dialog = next
    },
    /** The papers that were cut off, as text. */
    papers,
    papersWith: (text: string) => papers().filter((paper) => paper.includes(text)),
    /** How often the drawer was opened. */
    kicks: () => received.toString('latin1').split(KICK.toString('latin1')).length - 1,
    /** Calls `listen` with the next bytes of a paper. */
    onWrite: (listen: () => void) => {
      onWrite = listen
    },
    /** How often a page opened the device. */
    opened: () => opened,
    forget: () => {
      isGranted = false
    },
  }
}
