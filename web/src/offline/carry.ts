import { bySoldAt, type OutboxRow } from './outbox-row.ts'

/** Unsent sales as a file, for a till that cannot reach the service: any till of the workspace takes them in. Pure. */

const KIND = 'kasir-unsent-sales'
const FORMAT = 1

/** FNV-1a over UTF-16 units, twice with different starts: finds a file that was cut or changed on its way. */
function checksumOf(text: string): string {
  const hash = (start: number) => {
    let value = start
    for (let at = 0; at < text.length; at += 1)
      value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0
    return value.toString(16).padStart(8, '0')
  }
  return hash(0x811c9dc5) + hash(0x1234567)
}

type CarryFile = {
  kind: string
  format: number
  accountId: string
  business: string
  sales: OutboxRow[]
  checksum: string
}

const signed = ({ accountId, sales }: Pick<CarryFile, 'accountId' | 'sales'>) =>
  checksumOf(JSON.stringify([accountId, sales]))

export function carryFile(accountId: string, business: string, rows: readonly OutboxRow[]): string {
  const sales = rows.filter((row) => row.accountId === accountId).sort(bySoldAt)
  const content = { kind: KIND, format: FORMAT, accountId, business, sales }
  return JSON.stringify({ ...content, checksum: signed(content) })
}

export type CarryReading =
  | { kind: 'rows'; rows: OutboxRow[] }
  | { kind: 'notCarry' }
  | { kind: 'damaged' }
  | { kind: 'otherWorkspace'; business: string }

function parsed(text: string): Partial<CarryFile> | 'damaged' | null {
  try {
    const content: unknown = JSON.parse(text)
    return typeof content === 'object' && content !== null ? (content as Partial<CarryFile>) : null
  } catch {
    return text.includes(KIND) ? 'damaged' : null
  }
}

/** Reads a file: every sale of it is to be sent from here, unless it is damaged or of another workspace. */
export function readCarry(text: string, accountId: string): CarryReading {
  const file = parsed(text)
  if (file === 'damaged') return { kind: 'damaged' }
  if (file?.kind !== KIND) return { kind: 'notCarry' }
  const { accountId: owner, sales, business = '', format, checksum } = file
  if (
    format !== FORMAT ||
    !owner ||
    !Array.isArray(sales) ||
    checksum !== signed({ accountId: owner, sales })
  )
    return { kind: 'damaged' }
  if (owner !== accountId) return { kind: 'otherWorkspace', business }
  return {
    kind: 'rows',
    rows: sales.map((row) => ({
      ...row,
      state: row.state === 'setAside' ? 'setAside' : 'waiting',
      tries: 0,
      dueMs: 0,
    })),
  }
}
