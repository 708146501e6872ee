import { routes as all } from '../../src/routes.ts'

/** The routes that this service answers by itself; what is handed on to a partner has test/areas/partners/forwarded.test.ts. */
export const routes = all.filter((row) => row.access !== 'forward')
