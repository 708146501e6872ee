import { type Static, Type } from 'typebox'
import { MODULES } from '../../../core/modules.ts'
import { Instant, Nullable, Words } from '../../../platform/http/shapes.ts'

export const Module = Type.Object(
  {
    module: Words(MODULES),
    enabled: Type.Boolean({
      description: 'Whether the module is on; also false while the plan does not include it',
    }),
    allowed: Type.Boolean({ description: 'Whether the plan includes the module' }),
    provisionedAt: Nullable(
      Type.Unsafe<string>({
        ...Instant,
        description: 'When the partner created the account of the workspace; null if no partner was called',
      }),
    ),
  },
  { title: 'Module' },
)

export const ModuleToggle = Type.Object(
  {
    // Not an enum, because an unknown name has its own error code (B-module-3).
    module: Type.String({ minLength: 1, maxLength: 60, description: MODULES.join(', ') }),
    enabled: Type.Boolean(),
  },
  { title: 'ModuleToggle' },
)

export type ModuleState = Static<typeof Module>
export type ModuleToggle = Static<typeof ModuleToggle>
