export { tellOfAddress, tellOfKey, tellOfPassword } from './service.ts'
