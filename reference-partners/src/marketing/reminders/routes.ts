import { IdParams } from 'kasir/partner-tools'
import { route } from '../../kit/http/route.ts'
import { Reminder, ReminderCreate } from './schema.ts'
import { remind, reminderOf } from './service.ts'

const tag = 'reminders'

export const reminderRoutes = [
  route({
    name: 'reminders.create',
    method: 'POST',
    path: '/reminders',
    tag,
    summary: 'Reminds a customer by mail of a cart that was left; a reference is reminded once',
    status: 201,
    body: ReminderCreate,
    access: 'write',
    returns: Reminder,
    handle: async ({ tools, tx, caller, body, now }) => {
      const { isNew, reminder } = await remind(tx, { tools, caller, body, now })
      return { status: isNew ? 201 : 200, value: reminder }
    },
  }),
  route({
    name: 'reminders.get',
    method: 'GET',
    path: '/reminders/{id}',
    tag,
    summary: 'One reminder',
    params: IdParams,
    access: 'read',
    returns: Reminder,
    handle: ({ db, caller, params }) => reminderOf(db, caller.workspaceId, params.id),
  }),
]
