import { raceSales } from './cases/sales.ts'

// Where rows are spread over workers a sale is written in steps; plain PostgreSQL takes that form as well (docs/scaling.md).
raceSales({ env: { DATABASE_SHARDED: 'always' }, rounds: 40 })
