import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { saveFile } from '../../office/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { callPartner } from './partner-calls.ts'

type FileButtonProps = {
  text: string
  fileName: string
  operation: unknown
  input?: Readonly<Record<string, string>>
}

/** Saves a file of the partner, and says so if the partner does not answer. */
export function FileButton({ text, fileName, operation, input = {} }: FileButtonProps) {
  const download = useMutation({
    mutationFn: () => callPartner(operation, input) as Promise<Blob>,
    onSuccess: (file) => saveFile(fileName, file),
  })
  return (
    <span className="grid gap-2">
      <Button disabled={download.isPending} onClick={() => download.mutate()}>
        <Download aria-hidden size={18} />
        {text}
      </Button>
      <ModuleFailure error={download.error} />
    </span>
  )
}
