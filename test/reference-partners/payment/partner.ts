import { startReferencePaymentPartner } from '../../../reference-partners/src/payment/index.ts'
import { routes } from '../../../reference-partners/src/payment/routes.ts'
import { type Client, harnessOf } from '../harness.ts'

export { type Client, PLATFORM_KEY, SECRET } from '../harness.ts'

export const { clientOf, partner, usePartner, rowsOf } = harnessOf(routes, startReferencePaymentPartner)

/** A session paid by its payer's tap; answers the session. */
export async function paid(client: Client, body: Record<string, unknown>) {
  const { data } = await client.post('/v1/checkout-sessions', body)
  await fetch(`${data.hostedUrl}/pay`, { method: 'POST', redirect: 'manual' })
  return (await client.get(`/v1/checkout-sessions/${data.id}`)).data
}
