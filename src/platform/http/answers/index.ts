import type { Deps } from '../../deps.ts'
import type { Access, Route } from '../route.ts'
import { replyChecker } from '../validate.ts'
import { createForwardResponder } from './forward.ts'
import { createOpenResponder } from './open.ts'
import { createPartnerResponder } from './partner.ts'
import { createRawResponder } from './raw.ts'
import { createReadResponder } from './read.ts'
import type { PreparedRoute, Responder } from './responder.ts'
import { createWholeResponder } from './whole.ts'
import { createWriteResponder } from './write.ts'

/** Creates the function that answers the requests of a row: the handler gets what the row's `access` names. */
export function createResponder(deps: Deps, row: Route): Responder {
  return RESPONDERS[row.access]({
    deps,
    row,
    handle: row.handle as PreparedRoute['handle'],
    status: row.status ?? 200,
    check: deps.config.env === 'test' ? replyChecker(row.returns) : () => {},
  })
}

const RESPONDERS: Readonly<Record<Access, (prepared: PreparedRoute) => Responder>> = {
  read: createReadResponder,
  page: createReadResponder,
  whole: createWholeResponder,
  write: createWriteResponder,
  self: createWriteResponder,
  prepare: createPartnerResponder,
  partner: createPartnerResponder,
  forward: createForwardResponder,
  raw: createRawResponder,
  open: createOpenResponder,
}
