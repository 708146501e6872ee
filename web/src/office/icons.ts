import {
  BadgePercent,
  Boxes,
  ChartColumn,
  ClipboardList,
  Gift,
  House,
  type LucideIcon,
  Megaphone,
  Package,
  Settings,
  Truck,
  Users,
  UsersRound,
  Webhook,
} from 'lucide-react'
import type { Area } from './page-routes.ts'

export const ICONS: Readonly<Record<Area, LucideIcon>> = {
  home: House,
  products: Package,
  promotions: BadgePercent,
  reports: ChartColumn,
  settings: Settings,
  people: UsersRound,
  stock: Boxes,
  customers: Users,
  'gift-cards': Gift,
  purchasing: ClipboardList,
  delivery: Truck,
  marketing: Megaphone,
  developer: Webhook,
}
