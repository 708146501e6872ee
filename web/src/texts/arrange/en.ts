import type { arrangeId } from './id.ts'

/** Renaming and deleting tables and floors, in English. */
export const arrangeEn: Readonly<Record<keyof typeof arrangeId, string>> = {
  'edit.table': 'Edit table {name}',
  'edit.floor': 'Edit floor {name}',
  'edit.save': 'Save name',
  'edit.deleteTable': 'Delete table',
  'edit.deleteFloor': 'Delete floor',
  'edit.deleteTableText': 'The table leaves the map. Bills that are open there can still be edited and paid.',
  'edit.deleteFloorText': 'Only a floor without tables can be deleted.',
  'edit.hasTables':
    'This floor still has tables, or sales still refer to tables that were deleted. Rename the floor instead.',
}
