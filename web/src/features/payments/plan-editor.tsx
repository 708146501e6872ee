import { useRecord } from '../../office/form/use-record.ts'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { readPlan } from './plan-data.ts'
import { NewPlanForm, PlanForm } from './plan-form.tsx'

export function PlanEditor({ id }: { id: string }) {
  const isNew = id === 'new'
  const record = useRecord(['paymentPlan', id], () => readPlan(id), !isNew)
  if (isNew) return <NewPlanForm />
  if (!record.data) return <RecordState query={record} ErrorView={ModuleFailure} />
  return <PlanForm plan={record.data} onChanged={() => void record.refetch()} />
}
