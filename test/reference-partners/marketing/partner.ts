import { startReferenceMarketingPartner } from '../../../reference-partners/src/marketing/index.ts'
import { routes } from '../../../reference-partners/src/marketing/routes.ts'
import { harnessOf } from '../harness.ts'

export const { clientOf, partner, usePartner, rowsOf } = harnessOf(routes, startReferenceMarketingPartner)
