import type { Webhooks } from './generated/types.gen.ts'

/** Keeps the named keys and drops the index signature. */
type EventName<T> = { [K in keyof T as string extends K ? never : number extends K ? never : K]: T[K] }

/** Maps each event type to the body that the service posts to webhook endpoints. */
export type EventBodies = {
  [R in Webhooks as R['key']]: Omit<R['body'], 'type' | 'data'> & {
    type: R['key']
    data: EventName<NonNullable<R['body']['data']>>
  }
}
