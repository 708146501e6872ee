export { type Forwarded, forwardedRow } from './row.ts'
