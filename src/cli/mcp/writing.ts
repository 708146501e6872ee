import { Type } from 'typebox'
import { UsageError } from '../command.ts'
import { pick } from './answer.ts'
import { fields, findNamed, findOutlet, Outlet, type Tool, tool } from './tool.ts'

const Id = Type.String({ maxLength: 64 })
const Rupiah = Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Whole rupiah' })
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

const changePrice = tool({
  name: 'change_price',
  title: 'Change a price',
  description: 'Sets the price of one variant. Get its id from find_goods. Open bills keep the old price.',
  isWriting: true,
  input: fields({ productId: Id, variantId: Id, price: Rupiah }),
  run: async ({ kasir }, { productId: id, variantId: vid, price }) => {
    const { variant } = await kasir.variants.update({ id, vid, price })
    return { variant: pick(variant, 'id', 'productId', 'name', 'price') }
  },
})

const addProduct = tool({
  name: 'add_product',
  title: 'Add a product',
  description: 'Adds a product with one variant to the catalogue. Its stock is zero until it is counted.',
  isWriting: true,
  input: fields({
    name: text(200),
    price: Rupiah,
    cost: Type.Optional(Rupiah),
    sku: Type.Optional(text(64)),
    barcode: Type.Optional(text(64)),
    categoryId: Type.Optional(Id),
  }),
  run: async ({ kasir }, { name, categoryId, ...variant }) => {
    const { product } = await kasir.products.create({
      name,
      ...(categoryId === undefined ? {} : { categoryId }),
      variants: [variant],
    })
    return {
      product: {
        ...pick(product, 'id', 'name', 'categoryId'),
        variants: product.variants.map((one) => pick(one, 'id', 'name', 'price', 'sku', 'barcode')),
      },
    }
  },
})

const addSupplier = tool({
  name: 'add_supplier',
  title: 'Add a supplier',
  description: 'Adds a supplier the shop buys from.',
  isWriting: true,
  input: fields({
    name: text(200),
    contact: Type.Optional(text(200)),
    phone: Type.Optional(text(40)),
    email: Type.Optional(text(254)),
    address: Type.Optional(text(500)),
    note: Type.Optional(text(500)),
  }),
  run: async ({ kasir }, input) => {
    const { supplier } = await kasir.suppliers.create(input)
    return { supplier: pick(supplier, 'id', 'name', 'contact') }
  },
})

const moveTable = tool({
  name: 'move_table',
  title: 'Move a table',
  description:
    'Moves a table to another floor, or to another place on the map of its floor. Tables and floors are named as people see them, or by id.',
  isWriting: true,
  input: fields({
    outlet: Outlet,
    table: text(200),
    floor: Type.Optional(text(200)),
    posX: Type.Optional(Type.Integer({ minimum: 0 })),
    posY: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  run: async (shop, { outlet, table: label, floor, posX, posY }) => {
    if (floor === undefined && posX === undefined && posY === undefined)
      throw new UsageError('Say where to: floor, or posX and posY')
    const { kasir } = shop
    const { id: outletId } = await findOutlet(shop, outlet)
    const { tables } = await kasir.tables.list({ outletId })
    const { id } = findNamed(
      'table',
      tables.map((one) => ({ id: one.id, name: one.label })),
      label,
    )
    const floorId =
      floor === undefined
        ? undefined
        : findNamed('floor', (await kasir.floors.list({ outletId })).floors, floor).id
    const { table } = await kasir.tables.update({
      id,
      ...(floorId === undefined ? {} : { floorId }),
      ...(posX === undefined ? {} : { posX }),
      ...(posY === undefined ? {} : { posY }),
    })
    return { table: pick(table, 'id', 'label', 'floorId', 'posX', 'posY') }
  },
})

export const WRITING: readonly Tool[] = [changePrice, addProduct, addSupplier, moveTable]
