import type { Config } from '../config.ts'
import type { Route } from './route.ts'

/** The rows as this installation serves them: the last part of a path may be a setting. */
export const placed = (rows: readonly Route[], config: Pick<Config, NonNullable<Route['slug']>>): Route[] =>
  rows.map((row) =>
    row.slug === undefined ? row : { ...row, path: row.path.replace(/[^/]+$/, config[row.slug]) },
  )
