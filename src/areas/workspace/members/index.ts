export { memberRoutes } from './routes.ts'
export { emailKey } from './rules.ts'
export { Email } from './schema.ts'
export { emailTaken, getMember } from './service.ts'
export {
  accept,
  claimEmail,
  findByEmail,
  findInvited,
  findOnlyOwner,
  holdUnchanged,
  insert as insertMember,
} from './store.ts'
