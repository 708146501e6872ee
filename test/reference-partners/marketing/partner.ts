import { startReferenceMarketingPartner } from '../../../src/reference-partners/marketing/index.ts'
import { routes } from '../../../src/reference-partners/marketing/routes.ts'
import { harnessOf } from '../harness.ts'

export const { clientOf, partner, usePartner, rowsOf } = harnessOf(routes, startReferenceMarketingPartner)
