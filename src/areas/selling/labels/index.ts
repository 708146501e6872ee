/** Price and shelf labels, from products and purchase orders, as PDF or print jobs */

export { labelRoutes } from './routes.ts'
