import { database } from './database.ts'
import { newKey } from './key.ts'
import { isLeaseFree, LEASE_MS, type Lease } from './lease.ts'

const NAME = 'kasir-outbox'
const owner = newKey()

/** Lengthens the lease of this tab; false while another tab has it. */
async function takeLease(): Promise<boolean> {
  const tx = (await database()).transaction('notes', 'readwrite')
  const lease = (await tx.store.get(NAME)) as Lease | undefined
  const nowMs = Date.now()
  const isFree = isLeaseFree(lease, owner, nowMs)
  if (isFree) await tx.store.put({ owner, untilMs: nowMs + LEASE_MS } satisfies Lease, NAME)
  await tx.done
  return isFree
}

async function dropLease() {
  const tx = (await database()).transaction('notes', 'readwrite')
  const lease = (await tx.store.get(NAME)) as Lease | undefined
  if (lease?.owner === owner) await tx.store.delete(NAME)
  await tx.done
}

/**
 * Runs `work` in one tab of this browser at a time. `stay` says whether the turn still belongs to this tab. Web Locks
 * exist on https and localhost only; elsewhere a row in the database is the lease.
 */
export async function inTurn(work: (stay: () => Promise<boolean>) => Promise<void>): Promise<void> {
  if ('locks' in navigator) return navigator.locks.request(NAME, () => work(async () => true))
  if (!(await takeLease())) return
  try {
    await work(takeLease)
  } finally {
    await dropLease()
  }
}
