import { useDictionary } from '../dictionary.ts'
import { en as baseEn } from '../en.ts'
import { id as baseId } from '../id.ts'
import { approvalEn } from './en.ts'
import { approvalId } from './id.ts'

const DICTIONARIES = { id: { ...baseId, ...approvalId }, en: { ...baseEn, ...approvalEn } }

export type ApprovalKey = keyof typeof DICTIONARIES.id
/** The texts of an approval beside those of the register. */
export const useApprovalTexts = () => useDictionary<ApprovalKey>(DICTIONARIES)
