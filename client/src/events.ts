import type { Webhooks } from './generated/types.gen.ts'

/** The keys that are named, without "and any other". */
type Named<T> = { [K in keyof T as string extends K ? never : number extends K ? never : K]: T[K] }

/** The body of each event by its type, as the service posts it to endpoints. */
export type EventBodies = {
  [R in Webhooks as R['key']]: Omit<R['body'], 'type' | 'data'> & {
    type: R['key']
    data: Named<NonNullable<R['body']['data']>>
  }
}
