/**
 * Lists the changes of an OpenAPI document that break clients: a removed operation, field or word of an enum; a
 * request that requires more or accepts less; a field of an answer that may newly be missing or null.
 * What is only added breaks nobody.
 */
type Schema = {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  [word: string]: unknown
}
type Media = Record<string, { schema?: Schema }>
type Parameter = { $ref?: string; name: string; in: string; required?: boolean; schema: Schema }
type Reply = { $ref?: string; headers?: Record<string, unknown>; content?: Media }
type Operation = {
  operationId?: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Media }
  responses?: Record<string, Reply>
}
type Items = Record<string, Record<string, Operation>>
export type Document = { paths: Items; webhooks?: Items; components?: object }

/**
 * The writer of the values: a caller, from whom a schema may not require more, or the service, which may not omit
 * any.
 */
type Side = 'request' | 'answer'

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const
/** Neither of two such values is wider, so a change counts as tighter. */
const FORMS = ['pattern', 'format', 'multipleOf'] as const
/** Every URI is an IRI (RFC 3987): this one format is known to be wider than the other. */
const isWiderFormat = (word: string, before: unknown, after: unknown) =>
  word === 'format' && before === 'uri' && after === 'iri'

/** One line for each breaking change, beginning with its place. */
export function breakages(before: Document, after: Document): string[] {
  const compare = comparing(before, after)
  return [
    ...operationsOf(before.paths).flatMap(([name, earlier]) => {
      const later = operationNamed(after.paths, name)
      if (later === undefined) return [`${name} is gone`]
      return [
        ...(earlier.operationId === later.operationId
          ? []
          : [`${name} was ${earlier.operationId} and is now ${later.operationId}`]),
        ...compare.parameters(name, earlier, later),
        ...compare.body(name, earlier, later),
        ...compare.replies(name, earlier, later),
      ]
    }),
    ...operationsOf(before.webhooks ?? {}).flatMap(([name, earlier]) => {
      const later = operationNamed(after.webhooks ?? {}, name)
      if (later === undefined) return [`event ${name} is gone`]
      // What a webhook is sent is an answer of the service.
      return compare.contents(`event ${name}`, earlier.requestBody?.content, later.requestBody?.content)
    }),
    ...compare.errors(),
  ]
}

const operationsOf = (items: Items): (readonly [name: string, Operation])[] =>
  Object.entries(items).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  )
const operationNamed = (items: Items, name: string) => new Map(operationsOf(items)).get(name)

function comparing(before: Document, after: Document) {
  const old = resolverOf(before)
  const young = resolverOf(after)
  const schemas = (side: Side, where: string, one: Schema | undefined, other: Schema | undefined) =>
    one === undefined || other === undefined
      ? []
      : differences({ side, old, young, open: new Set() }, where, one, other)

  function parameters(name: string, earlier: Operation, later: Operation): string[] {
    const known = (earlier.parameters ?? []).map((one) => old<Parameter>(one))
    const now = (later.parameters ?? []).map((one) => young<Parameter>(one))
    const same = (one: Parameter) => (other: Parameter) => other.name === one.name && other.in === one.in
    return [
      ...known.flatMap((one) => {
        const other = now.find(same(one))
        const where = `${name}: ${one.in} ${one.name}`
        return other === undefined
          ? [`${where} is gone`]
          : schemas('request', where, one.schema, other.schema)
      }),
      ...now
        .filter((one) => one.required === true && known.find(same(one))?.required !== true)
        .map((one) => `${name}: ${one.in} ${one.name} must now be sent`),
    ]
  }

  function body(name: string, earlier: Operation, later: Operation): string[] {
    const where = `${name}: body`
    const isAsked = later.requestBody?.required === true && earlier.requestBody?.required !== true
    if (earlier.requestBody !== undefined && later.requestBody === undefined) return [`${where} is gone`]
    return [
      ...(isAsked ? [`${where} must now be sent`] : []),
      ...Object.entries(earlier.requestBody?.content ?? {}).flatMap(([type, media]) => {
        const now = later.requestBody?.content[type]
        return now === undefined
          ? [`${where} as ${type} is gone`]
          : schemas('request', where, media.schema, now.schema)
      }),
    ]
  }

  const contents = (where: string, earlier: Media = {}, later: Media = {}): string[] =>
    Object.entries(earlier).flatMap(([type, media]) => {
      const now = later[type]
      return now === undefined
        ? [`${where} as ${type} is gone`]
        : schemas('answer', where, media.schema, now.schema)
    })

  const replies = (name: string, earlier: Operation, later: Operation): string[] =>
    Object.entries(earlier.responses ?? {})
      // To refuse for less breaks nobody; the codes are compared as one list.
      .filter(([status]) => Number(status) < 400)
      .flatMap(([status, one]) => {
        const where = `${name}: ${status}`
        const found = later.responses?.[status]
        if (found === undefined) return [`${where} is gone`]
        const [reply, now] = [old<Reply>(one), young<Reply>(found)]
        const lost = Object.keys(reply.headers ?? {}).filter((header) => !(header in (now.headers ?? {})))
        return [
          ...lost.map((header) => `${where} header ${header} is gone`),
          ...contents(where, reply.content, now.content),
        ]
      })

  const errors = () => {
    const pointer = { $ref: '#/components/schemas/Error' }
    const [one, other] = [old<Schema | undefined>(pointer), young<Schema | undefined>(pointer)]
    return one === undefined
      ? []
      : other === undefined
        ? ['refusals are gone']
        : schemas('answer', 'refusals', one, other)
  }

  return { parameters, body, contents, replies, errors }
}

type Resolver = <T>(value: { $ref?: string } | T) => T
const resolverOf =
  (document: Document): Resolver =>
  <T>(value: { $ref?: string } | T): T => {
    const { $ref, ...beside } = (value ?? {}) as { $ref?: string }
    if ($ref === undefined) return value as T
    const found = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], document)
    return (found === undefined ? undefined : { ...resolverOf(document)(found as object), ...beside }) as T
  }

type Comparison = { side: Side; old: Resolver; young: Resolver; open: Set<string> }

function differences(at: Comparison, where: string, before: Schema, after: Schema): string[] {
  // A record that holds records of its own kind is compared once.
  const pair = `${before.$ref} ${after.$ref}`
  if (before.$ref !== undefined && after.$ref !== undefined) {
    if (at.open.has(pair)) return []
    at = { ...at, open: new Set([...at.open, pair]) }
  }
  const [was, is] = [optionsOf(at.old, before), optionsOf(at.young, after)]
  const wasNull = was.some(isNull)
  const isNow = is.some(isNull)
  const nullness =
    at.side === 'answer' && isNow && !wasNull
      ? [`${where} may now be null`]
      : at.side === 'request' && wasNull && !isNow
        ? [`${where} may no longer be null`]
        : []
  const [left, right] = [was.filter((one) => !isNull(one)), is.filter((one) => !isNull(one))]
  // Each form that was taken must still be; each form that is answered must have been.
  const isRequest = at.side === 'request'
  const forms = (isRequest ? left : right).flatMap((form) => {
    const found = (isRequest ? right : left)
      .map((other) => (isRequest ? compared(at, where, form, other) : compared(at, where, other, form)))
      .sort((one, other) => one.length - other.length)
    return found[0] ?? [`${where} has another form`]
  })
  return [...nullness, ...forms]
}

const isNull = ({ type, const: constant }: Schema) => type === 'null' || constant === null

/** The forms that a value may have: the branches of `anyOf`, and each of several types. */
function optionsOf(resolve: Resolver, given: Schema): Schema[] {
  const schema = withAll(resolve, resolve<Schema>(given) ?? {})
  const branches = schema.anyOf ?? schema.oneOf
  if (branches !== undefined) return branches.flatMap((branch) => optionsOf(resolve, branch))
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [schema]
}

/** `allOf` as one schema. */
function withAll(resolve: Resolver, { allOf, ...schema }: Schema): Schema {
  const parts = (allOf ?? []).map((part) => withAll(resolve, resolve<Schema>(part) ?? {}))
  return parts.reduce<Schema>(
    (one, part) => ({
      ...one,
      ...part,
      properties: { ...one.properties, ...part.properties },
      required: [...(one.required ?? []), ...(part.required ?? [])],
    }),
    schema,
  )
}

function compared(at: Comparison, where: string, before: Schema, after: Schema): string[] {
  if (
    before.type !== undefined &&
    after.type !== before.type &&
    !(at.side === 'request' && after.type === undefined)
  ) {
    return [`${where} was ${shown(before.type)} and is now ${shown(after.type ?? 'anything')}`]
  }
  return [
    ...wordsGone(at, where, before, after),
    ...(at.side === 'request' ? tightened(where, before, after) : []),
    ...fields(at, where, before, after),
    ...(before.items && after.items ? differences(at, `${where}[]`, before.items, after.items) : []),
    ...values(at, where, before, after),
  ]
}

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
const wordsOf = (schema: Schema) => schema.enum ?? ('const' in schema ? [schema.const] : undefined)

function wordsGone({ side }: Comparison, where: string, before: Schema, after: Schema): string[] {
  const [was, is] = [wordsOf(before), wordsOf(after)]
  if (is === undefined) return []
  if (was === undefined) return side === 'request' ? [`${where} now takes certain words only`] : []
  return was.filter((word) => !is.includes(word)).map((word) => `${where}: ${JSON.stringify(word)} is gone`)
}

function tightened(where: string, before: Schema, after: Schema): string[] {
  const number = (schema: Schema, word: string) => schema[word] as number | undefined
  return [
    ...LOWER.filter((word) => (number(after, word) ?? -Infinity) > (number(before, word) ?? -Infinity)),
    ...UPPER.filter((word) => (number(after, word) ?? Infinity) < (number(before, word) ?? Infinity)),
    ...FORMS.filter(
      (word) =>
        after[word] !== undefined &&
        after[word] !== before[word] &&
        !isWiderFormat(word, before[word], after[word]),
    ),
    ...(after['uniqueItems'] === true && before['uniqueItems'] !== true ? ['uniqueItems'] : []),
  ].map(
    (word) => `${where}: ${word} is tighter (${shown(before[word] ?? 'none')}, now ${shown(after[word])})`,
  )
}

function fields(at: Comparison, where: string, before: Schema, after: Schema): string[] {
  const now = after.properties ?? {}
  const required = (schema: Schema, name: string) => schema.required?.includes(name) === true
  const known = Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
    const later = now[name]
    if (later === undefined) return [`${where}.${name} is gone`]
    const isLoose = at.side === 'answer' && required(before, name) && !required(after, name)
    return [
      ...(isLoose ? [`${where}.${name} may now be missing`] : []),
      ...differences(at, `${where}.${name}`, schema, later),
    ]
  })
  const asked = at.side === 'request' ? (after.required ?? []).filter((name) => !required(before, name)) : []
  return [...known, ...asked.map((name) => `${where}.${name} must now be sent`)]
}

/** Maps with keys of any name. */
function values(at: Comparison, where: string, before: Schema, after: Schema): string[] {
  const [was, is] = [before.additionalProperties, after.additionalProperties]
  if (typeof was === 'object' && typeof is === 'object') return differences(at, `${where}.*`, was, is)
  const isOpen = was === true || typeof was === 'object'
  return isOpen && is === false ? [`${where} holds certain fields only`] : []
}

/** Whether the section of the next version begins with `### Breaking`. */
export const isBreakAnnounced = (changelog: string): boolean =>
  /^## \[Unreleased\]\s+(?:#+ )?\**Breaking/im.test(changelog)
