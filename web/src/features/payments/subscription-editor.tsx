import { SubscriptionDetail } from './subscription-detail.tsx'
import { SubscriptionForm } from './subscription-form.tsx'

export const SubscriptionEditor = ({ id }: { id: string }) =>
  id === 'new' ? <SubscriptionForm /> : <SubscriptionDetail id={id} />
