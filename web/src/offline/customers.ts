import { customersCreate, customersList } from 'kasir-client'
import { call, callPage } from '../app/service.ts'
import { isServed, useSession } from '../app/session.ts'
import type { CartCustomer, KnownCustomer, NewCustomer } from '../selling/cart.ts'
import { database } from './database.ts'
import { isOver } from './deadline.ts'

/** The customers on this device, so that the register finds them offline. */

type CustomerCopy = {
  readAtMs: number
  customers: readonly KnownCustomer[]
  /**
   * The ids of the customers that were entered on this device, by their key. The service knows a key for 24 hours only, and a
   * bill that is held here keeps it longer. Absent in a copy of an older version.
   */
  createdIds?: Readonly<Record<string, string>>
}
const MOST = 2_000
const MOST_CREATED = 500
const PAGE = 100
const STALE_MS = 6 * 3_600_000
const FIRST_LOOK_MS = 4_000
const LOOK_MS = 5 * 60_000
const MOST_FOUND = 20

const noteOf = (accountId: string) => `customers ${accountId}`
/** The fields that the device keeps. */
export const knownOf = ({ id, name, phone, groupIds, creditLimit }: Required<KnownCustomer>) => ({
  id,
  name,
  phone,
  groupIds,
  creditLimit,
})
const EMPTY: CustomerCopy = { readAtMs: 0, customers: [] }

const readCopy = async (accountId: string): Promise<CustomerCopy> =>
  ((await (await database()).get('notes', noteOf(accountId))) as CustomerCopy | undefined) ?? EMPTY

/** The customers on the device; none if the browser has no storage. */
export const readCustomers = (accountId: string): Promise<readonly KnownCustomer[]> =>
  readCopy(accountId).then(
    ({ customers }) => customers,
    () => [],
  )

async function changeCopy(accountId: string, edit: (copy: CustomerCopy) => CustomerCopy) {
  const tx = (await database()).transaction('notes', 'readwrite')
  const copy = ((await tx.store.get(noteOf(accountId))) as CustomerCopy | undefined) ?? EMPTY
  await tx.store.put(edit(copy), noteOf(accountId))
  await tx.done
}

const idsOf = (customers: readonly KnownCustomer[]) => new Set(customers.map(({ id }) => id))

/** The customers of both lists, each once, as many as the device keeps. */
function joined(first: readonly KnownCustomer[], rest: readonly KnownCustomer[]): readonly KnownCustomer[] {
  const ids = idsOf(first)
  return [...first, ...rest.filter(({ id }) => !ids.has(id))].slice(0, MOST)
}

/** Keeps customers on the device, the last ones first. A browser without storage finds none offline. */
export const noteCustomers = (accountId: string, seen: readonly KnownCustomer[]): Promise<void> =>
  changeCopy(accountId, (copy) => ({ ...copy, customers: joined(seen, copy.customers) })).catch(() => {})

/** Reads up to 2,000 customers, at most every six hours. */
async function copyCustomers(accountId: string) {
  const { readAtMs, customers } = await readCopy(accountId)
  if (!isOver(readAtMs + STALE_MS, STALE_MS, Date.now())) return
  const known: KnownCustomer[] = []
  let cursor: string | null = null
  do {
    const page: { data: { customers: Required<KnownCustomer>[] }; cursor: string | null } = await callPage(
      customersList,
      { limit: PAGE, ...(cursor === null ? {} : { cursor }) },
    )
    // Meanwhile a member of another workspace may have signed in.
    if (useSession.getState().account?.id !== accountId) return
    known.push(...page.data.customers.map(knownOf))
    cursor = page.cursor
  } while (cursor !== null && known.length < MOST)
  // The list has no erased customers, so it replaces the copy, but for those that were noted while it was read.
  const ids = idsOf(customers)
  await changeCopy(accountId, (copy) => ({
    ...copy,
    readAtMs: Date.now(),
    customers: joined(
      copy.customers.filter(({ id }) => !ids.has(id)),
      known,
    ),
  }))
}

/**
 * Keeps the copy of the customers fresh until the returned function is called. The first read starts after four seconds, so
 * that it does not slow down the first sale.
 */
export function keepCustomers(accountId: string): () => void {
  let isReading = false
  const look = async () => {
    const session = useSession.getState()
    if (isReading || session.member === null || !isServed(session)) return
    isReading = true
    // Without an answer or without storage, the next look tries again.
    await copyCustomers(accountId).catch(() => {})
    isReading = false
  }
  const lookNow = () => void look()
  const start = setTimeout(lookNow, FIRST_LOOK_MS)
  const timer = setInterval(lookNow, LOOK_MS)
  window.addEventListener('online', lookNow)
  return () => {
    clearTimeout(start)
    clearInterval(timer)
    window.removeEventListener('online', lookNow)
  }
}

/** Keeps a customer that was created here with its key. A browser without storage leaves that to the service. */
const noteCreated = (accountId: string, key: string, customer: KnownCustomer): Promise<void> =>
  changeCopy(accountId, (copy) => ({
    ...copy,
    customers: joined([customer], copy.customers),
    createdIds: Object.fromEntries(
      [...Object.entries(copy.createdIds ?? {}), [key, customer.id]].slice(-MOST_CREATED),
    ),
  })).catch(() => {})

/** Creates a customer that was entered on this device. The key makes it one customer however often it is sent. */
export async function createCustomer(
  accountId: string,
  { key, name, phone }: NewCustomer,
  options: { isSingle?: boolean } = {},
): Promise<KnownCustomer> {
  const { customers, createdIds } = await readCopy(accountId).catch(() => EMPTY)
  const id = createdIds?.[key]
  if (id !== undefined) return customers.find((each) => each.id === id) ?? { id, name, phone }
  const { customer } = await call(customersCreate, { name, phone }, { ...options, idempotencyKey: key })
  const known = knownOf(customer)
  await noteCreated(accountId, key, known)
  return known
}

/** A number without its spaces and its country code: +62 812, 0812 and 812 are one number. */
const digitsOf = (text: string): string => text.replace(/\D/g, '').replace(/^(?:0062|62|0)/, '')

/** The customers whose name or phone has the text. */
export function findCustomers(customers: readonly CartCustomer[], text: string): CartCustomer[] {
  const words = text.toLowerCase()
  const digits = /^[\d+\s-]+$/.test(text) ? digitsOf(text) : ''
  const found = customers.filter(
    ({ name, phone }) =>
      name.toLowerCase().includes(words) || (digits !== '' && digitsOf(phone ?? '').includes(digits)),
  )
  const keys = found.map((customer) => customer.id ?? customer.key)
  return found.filter((_, at) => keys.indexOf(keys[at] ?? '') === at).slice(0, MOST_FOUND)
}
