export { memberEvents, passwordChanged } from './events.ts'
export { memberRoutes } from './routes.ts'
export { emailKey } from './rules.ts'
export { Email, isAddress, Member } from './schema.ts'
export { emailTaken, getMember, proveSelf, wrongPassword } from './service.ts'
export {
  accept,
  claimEmail,
  findByEmail,
  findHash,
  findInvited,
  findMember,
  findOnlyOwner,
  insert as insertMember,
  lockSigner,
  setPassword,
  setVerified,
  shareUnchanged,
} from './store.ts'
