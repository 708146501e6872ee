import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Attribution, Link, Program, ProgramIn, Stats, WholeList } from './schema.ts'
import { getProgram, listAttributions, listLinks, replaceProgram } from './service.ts'
import * as store from './store.ts'

const row = { area: 'marketing', module: 'marketing' } as const
const One = Type.Object({ program: Program })

export const referralRoutes = [
  route({
    ...row,
    name: 'referrals.get',
    method: 'GET',
    path: '/account/referrals',
    summary: 'Read the referral program',
    description:
      'While the program is on, the first completed sale of a customer creates a link for the customer.',
    access: 'read',
    delegation: 'read',
    returns: One,
    handle: async ({ db, scope }) => ({ program: await getProgram(db, scope) }),
  }),
  route({
    ...row,
    name: 'referrals.replace',
    method: 'PUT',
    path: '/account/referrals',
    summary: 'Replace the referral program',
    description: 'Omitted fields are set to their defaults.',
    access: 'write',
    delegation: 'write',
    body: ProgramIn,
    returns: One,
    handle: async ({ tx, scope, body }) => ({ program: await replaceProgram(tx, scope, body) }),
  }),
  route({
    ...row,
    name: 'referrals.listLinks',
    method: 'GET',
    path: '/account/referrals/links',
    summary: 'List the links of customers, newest first',
    description: 'Each link has its code and the number of clicks.',
    access: 'whole',
    delegation: 'read',
    query: WholeList,
    returns: Type.Object({ links: Type.Array(Link) }),
    handle: ({ deps, db, scope, query }) => listLinks(deps, db, scope, query),
  }),
  route({
    ...row,
    name: 'referrals.listAttributions',
    method: 'GET',
    path: '/account/referrals/attributions',
    summary: 'List sales that were referred by a link, newest first',
    description: 'An attribution is pending, rewarded, expired or rejected.',
    access: 'whole',
    delegation: 'read',
    query: WholeList,
    returns: Type.Object({ attributions: Type.Array(Attribution) }),
    handle: ({ db, scope, query }) => listAttributions(db, scope, query),
  }),
  route({
    ...row,
    name: 'referrals.stats',
    method: 'GET',
    path: '/account/referrals/stats',
    summary: 'Read the results of the referral program',
    description:
      '`rewardsIssued` counts used rewards. `revenue` is the revenue of the conversions minus refunds.',
    access: 'read',
    delegation: 'read',
    returns: Stats,
    handle: ({ db, scope }) => store.stats(db, scope),
  }),
]
