import { Type } from 'typebox'
import { maskText } from '../../../core/text.ts'
import { atTillOf } from '../../../platform/auth/approvals.ts'
import { authenticate } from '../../../platform/auth/authenticate.ts'
import { sendTill } from '../../../platform/auth/till.ts'
import { withCallerSlot } from '../../../platform/http/gate.ts'
import { route } from '../../../platform/http/route.ts'
import { Id, IdParams } from '../../../platform/http/shapes.ts'
import { scopeFor } from '../../../platform/scope.ts'
import { giveApproval } from './approvals.ts'
import { Approval, ApprovalIn, PinHolder, Till, TillIn } from './schema.ts'
import { currentTill, enrolTill, listTills, requireEnroller, revokeTill } from './service.ts'

const area = 'tills'

export const tillRoutes = [
  route({
    name: 'tills.create',
    method: 'POST',
    path: '/tills',
    area,
    summary: 'Enrol this browser as a till',
    description:
      'For a manager or owner who is signed in to this browser, not with a PIN. The answer sets a signed cookie; from then on members sign in here with their PIN. A till that the browser was before is revoked. The owners get a mail.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    status: 201,
    body: TillIn,
    document: { refuses: ['AUTH_REQUIRED', 'SECOND_FACTOR_NOT_SET_UP'] },
    returns: Type.Object({ till: Till }),
    handle: async ({ deps, body, request, reply, now }) => {
      const { till, secret } = await withCallerSlot(deps, request, async () => {
        const identity = await authenticate(deps, request, now)
        requireEnroller(identity)
        const scope = scopeFor(identity, {
          defaultTier: deps.config.defaultTier,
          requestId: request.id,
          address: request.ip,
          now,
          atTill: atTillOf(deps, request),
        })
        return enrolTill(deps, scope, body)
      })
      sendTill(deps, reply, { id: till.id, secret })
      return { till }
    },
  }),
  route({
    name: 'tills.list',
    method: 'GET',
    path: '/tills',
    area,
    summary: 'List the enrolled tills, newest first',
    description: 'Each shows when it was last used. A revoked till is not listed.',
    access: 'read',
    delegation: 'read',
    role: 'MANAGER',
    returns: Type.Object({ tills: Type.Array(Till) }),
    handle: async ({ db, scope }) => ({ tills: await listTills(db, scope) }),
  }),
  route({
    name: 'tills.getCurrent',
    method: 'GET',
    path: '/tills/current',
    area,
    summary: 'The till of this browser, and who may sign in with a PIN',
    description:
      'The data of the lock screen of a till, before a member signs in. It needs the cookie of the till; any other browser gets 403.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    document: { refuses: ['FORBIDDEN'] },
    returns: Type.Object({ till: Till, members: Type.Array(PinHolder) }),
    handle: ({ deps, db, request }) => {
      const { till } = atTillOf(deps, request)
      const read = () => currentTill(db, till)
      // The signature of the cookie proves the workspace.
      return till === null ? read() : deps.slots.within(till.accountId, read)
    },
  }),
  route({
    name: 'tills.revoke',
    method: 'DELETE',
    path: '/tills/{id}',
    area,
    summary: 'Revoke a till',
    description:
      'Members who signed in there with a PIN are signed out immediately, and no PIN works there any more. The browser can be enrolled again.',
    access: 'write',
    delegation: 'books',
    role: 'MANAGER',
    params: IdParams,
    returns: Type.Object({ id: Id, revoked: Type.Literal(true) }),
    handle: ({ tx, scope, params }) => revokeTill(tx, scope, params.id),
  }),
]

export const approvalRoutes = [
  route({
    name: 'approvals.create',
    method: 'POST',
    path: '/approvals',
    area: 'approvals',
    summary: 'Approve an action of a cashier with the PIN of a manager',
    description:
      'At an enrolled till only. The answer has a token for one action, which works once, for 2 minutes, at this till. Send it as the header `Approval` with the refused request.',
    access: 'self',
    delegation: 'forbidden',
    role: 'CASHIER',
    status: 201,
    body: ApprovalIn,
    secret: { mask: ({ approval, token }) => ({ approval, token: maskText(token) }) },
    document: { refuses: ['INVALID_CREDENTIALS'] },
    returns: Type.Object({ approval: Approval, token: Type.String() }),
    handle: ({ deps, scope, body, idem }) => giveApproval(deps, scope, body, idem),
  }),
]
