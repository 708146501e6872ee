import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Flag, flagOf, IdParams } from '../../../platform/http/shapes.ts'
import { Member, MemberIn, MemberPatch, Removed } from './schema.ts'
import { addMember, removeMember, updateMember } from './service.ts'
import * as store from './store.ts'

const area = 'members'
const One = Type.Object({ member: Member })

export const memberRoutes = [
  route({
    name: 'members.list',
    method: 'GET',
    path: '/members',
    area,
    summary: 'List members',
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
    description: 'Without a password the member is invited by mail with a link that works once, for 7 days.',
    access: 'self',
    delegation: 'books',
    role: 'OWNER',
    status: 201,
    body: MemberIn,
    refuses: ['LIMIT_REACHED'],
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
      'A new password ends every session of the member. Your own password or address changes only with `currentPassword`. The member is notified by mail, at the old address too. Another address for a member who has not accepted yet ends the link that was sent and sends a new one; the same address renews an invitation that has expired.',
    access: 'self',
    delegation: 'books',
    role: 'OWNER',
    params: IdParams,
    body: MemberPatch,
    returns: One,
    handle: ({ deps, scope, params, body, idem }) => updateMember(deps, scope, params.id, body, idem),
  }),
  route({
    name: 'members.remove',
    method: 'DELETE',
    path: '/members/{id}',
    area,
    summary: 'Remove a member, who is signed out at once',
    description:
      'API keys outlive whoever made them: the answer lists those that the member made, also through another key. `revokeKeys: true`, in the body or the query, ends them.',
    access: 'write',
    delegation: 'books',
    role: 'OWNER',
    params: IdParams,
    query: Type.Object({
      revokeKeys: Type.Optional({ ...Flag, description: 'End the API keys that the member made as well' }),
    }),
    body: Type.Object({ revokeKeys: Type.Optional(Type.Boolean()) }, { title: 'MemberRemove' }),
    returns: Removed,
    handle: ({ tx, scope, params, query, body }) =>
      removeMember(tx, scope, params.id, flagOf(query.revokeKeys) ?? body.revokeKeys ?? false),
  }),
]
