import { killTills } from './cases/kill.ts'

killTills({ kills: 7 })
