import { invalid } from '../../../core/errors.ts'

/** A group cannot ask for more choices than it allows (B-modifier-1); null = no limit. `param` names what was sent. */
export function requireSelectRange(
  minSelect: number,
  maxSelect: number | null,
  param: 'minSelect' | 'maxSelect',
) {
  if (maxSelect !== null && maxSelect < minSelect) {
    throw invalid(
      param,
      `A group cannot ask for at least ${minSelect} choices and allow at most ${maxSelect}`,
    )
  }
}

/** The list replaces what was attached, so a group may appear in it only once (B-modifier-2). */
export function requireGroupsOnce(ids: readonly string[]) {
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  if (twice >= 0) throw invalid(`groupIds[${twice}]`, 'This group is in the list twice')
}
