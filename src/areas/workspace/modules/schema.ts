import { type Static, Type } from 'typebox'
import { MODULES } from '../../../core/modules.ts'
import { Instant, Nullable, Words } from '../../../platform/http/shapes.ts'

export const Module = Type.Object(
  {
    module: Words(MODULES),
    enabled: Type.Boolean({
      description: 'Its routes answer; false as well while the plan does not include it',
    }),
    allowed: Type.Boolean({ description: 'The plan includes it' }),
    provisionedAt: Nullable(
      Type.Unsafe<string>({
        ...Instant,
        description: 'When the workspace got its place at the partner; null where no partner was asked',
      }),
    ),
  },
  { title: 'Module' },
)

export const ModuleToggle = Type.Object(
  {
    // No enum: an unknown name has a code of its own (B-module-3).
    module: Type.String({ minLength: 1, maxLength: 60, description: MODULES.join(', ') }),
    enabled: Type.Boolean(),
  },
  { title: 'ModuleToggle' },
)

export type ModuleState = Static<typeof Module>
export type ModuleToggle = Static<typeof ModuleToggle>
