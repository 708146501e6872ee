/** What labels are printed for: the goods of a purchase order, or goods that are chosen in the dialog. */
export type LabelSource =
  | { kind: 'order'; orderId: string; hasReceived: boolean }
  | { kind: 'goods'; categoryId: string | null; categories: readonly { id: string; name: string }[] }
