import { invalid } from '../../../core/errors.ts'

/**
 * A group cannot require more choices than it allows (B-modifier-1). `maxSelect` null means no limit; `param` names
 * the field that the client sent.
 */
export function requireSelectRange(
  minSelect: number,
  maxSelect: number | null,
  param: 'minSelect' | 'maxSelect',
) {
  if (maxSelect !== null && maxSelect < minSelect) {
    throw invalid(
      param,
      `A group cannot require at least ${minSelect} choices and allow at most ${maxSelect}`,
    )
  }
}

/** Throws 422 if the list names a group twice (B-modifier-2). */
export function requireGroupsOnce(ids: readonly string[]) {
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  if (twice >= 0) throw invalid(`groupIds[${twice}]`, 'This group is in the list twice')
}
