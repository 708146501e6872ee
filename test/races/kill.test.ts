import { killTills } from './cases/kill.ts'

killTills({ kills: 10, isShared: true })
