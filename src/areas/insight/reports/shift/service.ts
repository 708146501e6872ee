import type { Db } from '../../../../platform/db/open.ts'
import { API_PREFIX } from '../../../../platform/http/route.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { getShift } from '../../../selling/shifts/index.ts'
import { getOutlet } from '../../../workspace/outlets/index.ts'
import { getSettings } from '../../../workspace/settings/index.ts'
import type { ShiftReport } from './schema.ts'
import * as store from './store.ts'

/**
 * Returns every figure of a drawer (B-report-12): the stored figures of a closed shift, or live ones of an open
 * shift. Throws 404.
 */
export async function getShiftReport(db: Db, scope: Scope, id: string): Promise<ShiftReport> {
  const shift = await getShift(db, scope, id)
  const { businessName, npwp } = await getSettings(db, scope)
  const { name, address, phone, timezone } = await getOutlet(db, scope, shift.outletId)
  const facts = await store.findFacts(db, scope, id)
  return {
    businessName,
    npwp,
    outlet: { name, address, phone, timezone },
    shift,
    ...facts,
    cashMovements: await store.listCashMovements(db, scope, id),
    rows: { sales: `${API_PREFIX}/sales?shiftId=${id}` },
  }
}
