/** The page for the operator of the installation: health, jobs, database, backups, workspaces, findings of the doctor */

export { operatorRoutes } from './routes.ts'
