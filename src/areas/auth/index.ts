export { authRoutes } from './routes.ts'
export { type Entered, signUp } from './service.ts'
