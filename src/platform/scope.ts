import type { Approvals } from '../core/approvals.ts'
import type { Module } from '../core/modules.ts'
import type { Tier } from '../core/plans.ts'

declare const accountBrand: unique symbol
/** Created only by authentication, so a query never receives a workspace that the caller did not prove. */
export type AccountId = string & { readonly [accountBrand]: true }

export const ROLES = ['CASHIER', 'MANAGER', 'OWNER'] as const
export type Role = (typeof ROLES)[number]

export const ACTOR_KINDS = ['member', 'apiKey', 'partner', 'service'] as const

/**
 * The actor: a signed-in member; an API key with the role of its creator (B-role-3, B-role-2); a partner whose notice
 * has an effect; the service itself; or the operator on its machine.
 */
export type Actor = {
  kind: (typeof ACTOR_KINDS)[number]
  id: string
  name: string
  role: Role
  readOnly: boolean
  /** When the member signed in, if the credential says so. */
  signedInAt?: string
  /** The till at which the member's session began with a PIN. */
  pinAt?: string
  /** The actions of this member that need an approval (B-approval-1); absent for all but cashiers. */
  approvals?: Approvals
  /** Set if an assistant's run acts for the member (B-delegate-1). */
  delegation?: Delegate
}
/** `review` only reads, `act` changes configuration too. */
export const DELEGATION_MODES = ['act', 'review'] as const
export type DelegationMode = (typeof DELEGATION_MODES)[number]
/** The id of a run's credential, and the name that the assistant gives the run. */
export type Delegate = { mode: DelegationMode; id: string; run: string | null }

/** A module of a workspace and its account at the partner; the key there is sealed. */
export type ModuleAtGate = {
  module: Module
  enabled: boolean
  partner: string | null
  partnerWorkspaceId: string | null
  partnerKey: string | null
}

/**
 * The permissions of a request and the data it is recorded with. `now` is one instant for the whole request (RFC 3339
 * UTC).
 */
export type Scope = {
  readonly accountId: AccountId
  readonly actor: Actor
  /** The installation's default plan; `effectiveTierOf` also considers what this workspace paid for. */
  readonly defaultTier: Tier
  readonly requestId: string
  /** The network address of the client; null for the service itself or an operator on the machine. */
  readonly address: string | null
  readonly now: string
  /** Boards to notify after the transaction has committed (B-live-2). */
  readonly boards: Set<string>
  /** Records of the catalogue that the transaction changes, as "<type> <id>" (B-catalogue-2). */
  readonly catalogueChanges: Set<string>
  /** Results of this request's errands (platform/http/errands.ts). */
  readonly errandResults: ReadonlyMap<string, unknown>
  /** The modules that the gate has read; null if no route option requires one. */
  readonly modules: readonly ModuleAtGate[] | null
  /** The till that the request came from, and the approvals that it carries. */
  readonly atTill: AtTill
}

/** The till that a cookie names. Its signature is checked; only the database knows whether the till was revoked. */
export type TillRef = { readonly accountId: AccountId; readonly id: string; readonly secretHash: string }
export type AtTill = { readonly till: TillRef | null; readonly approvalHashes: readonly string[] }
const NOT_AT_TILL: AtTill = { till: null, approvalHashes: [] }

/** The authenticated actor of a request, a command or a background job. */
export type ActsFor = { accountId: AccountId; actor: Actor }
/** `requestId` is the cause that its events and mails record. */
export type Circumstances = Pick<Scope, 'defaultTier' | 'requestId' | 'address' | 'now'> &
  Partial<Pick<Scope, 'errandResults' | 'modules' | 'atTill'>>

const NOTHING: ReadonlyMap<string, unknown> = new Map()

/** The only function that creates a scope. */
export const scopeFor = (
  { accountId, actor }: ActsFor,
  {
    defaultTier,
    requestId,
    address,
    now,
    errandResults = NOTHING,
    modules = null,
    atTill = NOT_AT_TILL,
  }: Circumstances,
): Scope => ({
  accountId,
  actor,
  defaultTier,
  requestId,
  address,
  now,
  boards: new Set(),
  catalogueChanges: new Set(),
  errandResults,
  modules,
  atTill,
})

/** Kinds of records that a till keeps a copy of. */
export const CATALOGUE_TYPES = [
  'category',
  'product',
  'variant',
  'modifierGroup',
  'floor',
  'table',
  'member',
  'outlet',
  'settings',
  'priceList',
  'promotion',
] as const
/** A modifier reaches a till inside its group; its removal is noted for offline sales (B-offline-6). */
export type CatalogueType = (typeof CATALOGUE_TYPES)[number] | 'modifier'

/** Notes that the transaction changes, creates or removes records that tills keep; written before the commit. */
export const touchCatalogue = (scope: Scope, type: CatalogueType, ids: readonly string[]) => {
  for (const id of ids) scope.catalogueChanges.add(`${type} ${id}`)
}

export type Board = 'kds' | 'serve' | 'floor' | 'print' | 'catalogue'

/** The topic of a change of access; `streams` follow it themselves and never send it to a client. */
export const ACCESS_TOPIC = 'access'

/** Records that sessions of the workspace have ended: their live streams end after the commit. */
export const touchAccess = (scope: Pick<Scope, 'boards'>) => {
  scope.boards.add(`${ACCESS_TOPIC} *`)
}

/** Records that a live board of an outlet changed; published after the commit, never inside the transaction. */
export const touchBoard = (scope: Scope, board: Board, outletId: string) => {
  scope.boards.add(`${board} ${outletId}`)
}
