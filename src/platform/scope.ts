import type { Module } from '../core/modules.ts'
import type { Tier } from '../core/plans.ts'

declare const accountBrand: unique symbol
/** Minted only by authentication, so a query can never be handed a workspace the caller did not prove. */
export type AccountId = string & { readonly [accountBrand]: true }

export const ROLES = ['CASHIER', 'MANAGER', 'OWNER'] as const
export type Role = (typeof ROLES)[number]

export const ACTOR_KINDS = ['member', 'apiKey', 'partner', 'service'] as const

/**
 * Who acts: a signed-in member, or an API key with the rights of an owner (B-role-3, B-role-2); a partner whose notice has
 * an effect; or the service by itself, and the operator on its machine.
 */
export type Actor = {
  kind: (typeof ACTOR_KINDS)[number]
  id: string
  name: string
  role: Role
  readOnly: boolean
  /** Set where an assistant's run acts for the member (B-delegate-1). */
  delegation?: Delegate
}
/** `review` only reads, `act` changes configuration too. */
export const DELEGATION_MODES = ['act', 'review'] as const
export type DelegationMode = (typeof DELEGATION_MODES)[number]
/** The credential of a run by its id, and what the assistant calls the run. */
export type Delegate = { mode: DelegationMode; id: string; run: string | null }

/** A module of a workspace, and its place at the partner; the key there is sealed. */
export type ModuleAtGate = {
  module: Module
  enabled: boolean
  partner: string | null
  partnerWorkspaceId: string | null
  partnerKey: string | null
}

/** What a request may see and how it is recorded. `now` is one instant for the whole request (RFC 3339 UTC). */
export type Scope = {
  readonly accountId: AccountId
  readonly actor: Actor
  /** What every workspace of the installation has; `effectiveTierOf` knows what this one paid for. */
  readonly defaultTier: Tier
  readonly requestId: string
  /** The network address the request came from; null for what the service or an operator does on the machine itself. */
  readonly address: string | null
  readonly now: string
  /** Boards to notify once the transaction has committed (B-live-2). */
  readonly boards: Set<string>
  /** What errands of this request have brought back (platform/http/errands.ts). */
  readonly found: ReadonlyMap<string, unknown>
  /** The modules as they were when the gate let the request in; null where no row asks for one. */
  readonly modules: readonly ModuleAtGate[] | null
}

/** Who a request, a command or a chore of the service acts for, once that is proved. */
export type ActsFor = { accountId: AccountId; actor: Actor }
/** `requestId` is what its events and mails name as their cause. */
export type Circumstances = Pick<Scope, 'defaultTier' | 'requestId' | 'address' | 'now'> &
  Partial<Pick<Scope, 'found' | 'modules'>>

const NOTHING: ReadonlyMap<string, unknown> = new Map()

/** The one place that mints a scope. */
export const scopeFor = (
  { accountId, actor }: ActsFor,
  { defaultTier, requestId, address, now, found = NOTHING, modules = null }: Circumstances,
): Scope => ({
  accountId,
  actor,
  defaultTier,
  requestId,
  address,
  now,
  boards: new Set(),
  found,
  modules,
})

export type Board = 'kds' | 'serve' | 'floor'

/** Remembers that a live board of an outlet changed; published after the commit, never inside the transaction. */
export const touchBoard = (scope: Scope, board: Board, outletId: string) => {
  scope.boards.add(`${board} ${outletId}`)
}
