import {
  authSignup,
  categoriesCreate,
  modifierGroupsCreate,
  modifiersCreate,
  outletsList,
  outletsUpdate,
  productsCreate,
  productsSetModifierGroups,
} from 'kasir-client'
import { call } from '../../app/service.ts'
import { useSession } from '../../app/session.ts'
import { beginSession } from './begin-session.ts'
import { type BusinessType, SAMPLES, SUGAR } from './sample-shop.ts'

export type TaxChoice = 'NONE' | 'PPN' | 'PB1'
export type FirstRun = {
  businessName: string
  email: string
  password: string
  businessType: BusinessType
  tax: TaxChoice
  taxInclusive: boolean
  hasSample: boolean
}

const RATES: Readonly<Record<TaxChoice, number>> = { NONE: 0, PPN: 1_100, PB1: 1_000 }

/** Opens the workspace and signs its owner in. Returns the id of the workspace. */
export async function openWorkspace(form: FirstRun): Promise<string> {
  const signedUp = await call(authSignup, {
    email: form.email.trim(),
    password: form.password,
    businessName: form.businessName.trim(),
    businessType: form.businessType,
  })
  beginSession(signedUp)
  return signedUp.account.id
}

/** Whether the form asks for this workspace, and its owner is still signed in. */
export function isStillOpen(accountId: string | null, form: FirstRun): boolean {
  const { member, account } = useSession.getState()
  return accountId !== null && account?.id === accountId && member?.email === form.email.trim().toLowerCase()
}

/** Sets the tax of the outlet and fills the shelf if that was wished. A second try makes no goods twice. */
export async function prepareShop(form: FirstRun) {
  const { outlets } = await call(outletsList)
  const [outlet] = outlets
  if (outlet && form.tax !== 'NONE') {
    const { taxInclusive, tax } = form
    await call(outletsUpdate, { id: outlet.id, taxRateBps: RATES[tax], taxInclusive, taxLabel: tax })
  }
  if (form.hasSample) await fillShelf(form.businessType)
}

/** Names the writes of a kind of shop in their order: the same write has the same key in every try. */
function keysFor(type: BusinessType) {
  let count = 0
  return () => {
    count += 1
    return { idempotencyKey: `sample-${type}-${count}` }
  }
}

async function fillShelf(type: BusinessType) {
  const nextKey = keysFor(type)
  const sugarId = type === 'FNB' ? await createSugar(nextKey) : null
  for (const { category: name, products } of SAMPLES[type]) {
    const { category } = await call(categoriesCreate, { name }, nextKey())
    for (const { name: productName, prices, hasSugar = false } of products) {
      const variants = Object.entries(prices).map(([variantName, price]) => ({ name: variantName, price }))
      const body = { name: productName, categoryId: category.id, trackStock: false, variants }
      const { product } = await call(productsCreate, body, nextKey())
      if (hasSugar && sugarId !== null)
        await call(productsSetModifierGroups, { productId: product.id, groupIds: [sugarId] })
    }
  }
}

async function createSugar(nextKey: ReturnType<typeof keysFor>): Promise<string> {
  const { name, minSelect, maxSelect, modifiers } = SUGAR
  const { group } = await call(modifierGroupsCreate, { name, minSelect, maxSelect }, nextKey())
  for (const modifier of modifiers) await call(modifiersCreate, { id: group.id, ...modifier }, nextKey())
  return group.id
}
