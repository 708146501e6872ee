import { killTills } from './cases/kill.ts'

// Where rows are spread over workers a sale is written in steps; plain PostgreSQL takes that form as well (docs/scaling.md).
killTills({ env: { DATABASE_SHARDED: 'always' }, kills: 3 })
