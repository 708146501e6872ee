import { EXAMPLES } from './document/examples.ts'
import { PARAMETERS } from './document/parameters.ts'
import { TAGS } from './document/tags.ts'
import { events } from './events.ts'
import { openapiOf } from './platform/http/openapi.ts'
import type { Route } from './platform/http/route.ts'
import { VERSION } from './platform/version.ts'
import { routes } from './routes.ts'

/** The OpenAPI document of the whole service; `address` is the base URL shown in it. */
export const documentAt = (address: string, rows: readonly Route[] = routes) =>
  openapiOf(rows, {
    version: VERSION,
    address,
    examples: EXAMPLES,
    parameters: PARAMETERS,
    tags: TAGS,
    events,
  })
