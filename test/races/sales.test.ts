import { raceSales } from './cases/sales.ts'

raceSales({ rounds: 200 })
