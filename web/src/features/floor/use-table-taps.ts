import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCart } from '../../selling/cart-store.ts'
import { takeBill, takeTable } from '../../selling/take-bill.ts'
import { readBill } from './bills.ts'
import type { TableState } from './floor-data.ts'

/** Handles a tap on a table: a free table starts a bill in the register, an occupied one opens its bill there. */
export function useTableTaps() {
  const navigate = useNavigate()
  const isCartFull = useCart((cart) => cart.lines.length > 0)
  const [error, setError] = useState<unknown>(null)
  const [isRefused, setRefused] = useState(false)
  const [optionsId, showOptions] = useState<string | null>(null)

  const toRegister = () => void navigate({ to: '/jual' })
  const begin = ({ table }: TableState) => {
    takeTable({ id: table.id, label: table.label })
    toRegister()
  }
  const openBill = async (id: string) => {
    const bill = await readBill(id)
    // Meanwhile the next sale may have begun.
    if (useCart.getState().lines.length > 0) return setRefused(true)
    takeBill(bill)
    toRegister()
  }
  const open = (state: TableState) => {
    const { openBill: bill, openBillCount, id } = state.table
    setError(null)
    setRefused(isCartFull)
    if (isCartFull) return
    if (bill === null) begin(state)
    else if (openBillCount > 1) showOptions(id)
    else openBill(bill.id).catch(setError)
  }
  return {
    open,
    begin,
    openBill,
    error,
    isCartFull,
    isRefused: isRefused && isCartFull,
    optionsId,
    showOptions,
  }
}
