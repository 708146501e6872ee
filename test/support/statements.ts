import pg from 'pg'

/** A statement as it was sent to the database, under the name it was written with: a named one is planned once for all values after a few runs. */
export type SentStatement = { name: string | undefined; text: string; values: unknown[] }

/** What a name carries once a changed column has broken the plans of this process: a file run before may have done so. */
const PLANNED_ANEW = /@\d+$/

type Config = string | (Partial<SentStatement> & { parts?: readonly Partial<SentStatement>[] })
/** Statements that travel together are told one by one (src/platform/db/flight.ts). */
const partsOf = (config: Config | undefined) =>
  typeof config === 'object' && config.parts ? config.parts : [config]

/**
 * Tells every statement of this process while `work` runs. A connection that has held a transaction before keeps its
 * later ones to itself: a second process' worth of service (`alongside`) has none such.
 */
export async function watching<T>(
  onSent: (sent: SentStatement, client: pg.Client) => void,
  work: () => Promise<T>,
): Promise<T> {
  const original = pg.Client.prototype.query
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [config, values] = args as [Config | undefined, unknown]
    for (const one of partsOf(config)) {
      const text = typeof one === 'string' ? one : one?.text
      const given = typeof one === 'string' ? values : (one?.values ?? values)
      const name = typeof one === 'string' ? undefined : one?.name?.replace(PLANNED_ANEW, '')
      if (text) onSent({ name, text, values: Array.isArray(given) ? given : [] }, this)
    }
    return Reflect.apply(original, this, args)
  } as typeof original
  try {
    return await work()
  } finally {
    pg.Client.prototype.query = original
  }
}

/** Runs `work`; the first statement of this name is sent only once `meanwhile` is over. */
export async function beforeStatement<T>(
  name: string,
  meanwhile: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const original = pg.Client.prototype.query
  let isSent = false
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [config] = args as [Config | undefined]
    const sent = typeof config === 'object' ? config.name?.replace(PLANNED_ANEW, '') : undefined
    if (isSent || sent !== name) return Reflect.apply(original, this, args)
    isSent = true
    return meanwhile().then(() => Reflect.apply(original, this, args))
  } as typeof original
  try {
    return await work()
  } finally {
    pg.Client.prototype.query = original
  }
}
