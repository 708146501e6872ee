import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Flag, flagOf, IdParams } from '../../../platform/http/shapes.ts'
import { Member, MemberChange, MemberIn, MemberPatch, Removed } from './schema.ts'
import { addMember, removeMember, updateMember } from './service.ts'
import * as store from './store.ts'

const area = 'members'
const One = Type.Object({ member: Member })
const RevokeKeys = Type.Object({
  revokeKeys: Type.Optional({ ...Flag, description: 'Also revoke the API keys that the member created' }),
})

export const memberRoutes = [
  route({
    name: 'members.list',
    method: 'GET',
    path: '/members',
    area,
    summary: 'List members',
    description:
      'The list includes members with an open invitation. Each entry has the role and whether a second factor is set up.',
    access: 'read',
    delegation: 'read',
    role: 'OWNER',
    returns: Type.Object({ members: Type.Array(Member) }),
    handle: async ({ db, scope }) => ({ members: await store.list(db, scope) }),
  }),
  route({
    name: 'members.create',
    method: 'POST',
    path: '/members',
    area,
    summary: 'Add a member',
    description:
      'Without a password the service invites the member by mail, with a link that works once within 7 days.',
    access: 'self',
    delegation: 'books',
    role: 'OWNER',
    needsPassword: true,
    status: 201,
    body: MemberIn,
    document: { refuses: ['LIMIT_REACHED'] },
    returns: One,
    handle: ({ deps, scope, body, idem }) => addMember(deps, scope, body, idem),
  }),
  route({
    name: 'members.update',
    method: 'PATCH',
    path: '/members/{id}',
    area,
    summary: 'Change a member',
    description:
      'A new password ends every session of the member. To change your own password or address, send `currentPassword`. The service notifies the member by mail, also at the old address. If an invited member gets another address, the old link stops working and a new one is sent. The same address renews an expired invitation. API keys have the current role of the member who created them. With a role other than OWNER the answer lists these keys; `revokeKeys: true`, in the body or the query, revokes them.',
    access: 'self',
    delegation: 'books',
    role: 'OWNER',
    needsPassword: true,
    params: IdParams,
    query: RevokeKeys,
    body: MemberPatch,
    returns: MemberChange,
    handle: ({ deps, scope, params, query, body, idem }) => {
      const revokeKeys = flagOf(query.revokeKeys) ?? body.revokeKeys ?? false
      return updateMember(deps, scope, { id: params.id, body: { ...body, revokeKeys }, idem })
    },
  }),
  route({
    name: 'members.remove',
    method: 'DELETE',
    path: '/members/{id}',
    area,
    summary: 'Remove a member and end their sessions',
    description:
      'API keys of the member stay valid. The answer lists the keys that the member created, directly or through another key. `revokeKeys: true`, in the body or the query, revokes them.',
    access: 'write',
    delegation: 'books',
    role: 'OWNER',
    needsPassword: true,
    params: IdParams,
    query: RevokeKeys,
    body: Type.Object({ revokeKeys: Type.Optional(Type.Boolean()) }, { title: 'MemberRemove' }),
    returns: Removed,
    handle: ({ tx, scope, params, query, body }) =>
      removeMember(tx, scope, params.id, flagOf(query.revokeKeys) ?? body.revokeKeys ?? false),
  }),
]
