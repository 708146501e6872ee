import { describe } from 'vitest'
import { killTills } from './cases/kill.ts'
import { raceSales } from './cases/sales.ts'

// The other way of a plain sale, for a database that prefers it: each is read first and written by itself.
const env = { SALES_TOGETHER: '0' }

describe('sales that are written alone', () => raceSales({ env, rounds: 10 }))
describe('tills whose sales are written alone', () => killTills({ env, kills: 2 }))
