export { type FactorChange, tellOfAddress, tellOfKey, tellOfPassword, tellOfSecondFactor } from './service.ts'
