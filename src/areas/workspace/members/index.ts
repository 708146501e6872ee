/** Members, their roles and invitations */

export { memberEvents, passwordChanged } from './events.ts'
export { changePin } from './pins.ts'
export { memberRoutes } from './routes.ts'
export { emailKey } from './rules.ts'
export { Email, isAddress, Member } from './schema.ts'
export { emailTaken, getMember, proveSelf, wrongPasswordError } from './service.ts'
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
  lockWorkspace,
  setPassword,
  setVerified,
  shareUnchanged,
} from './store.ts'
