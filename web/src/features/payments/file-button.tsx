import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { saveFile } from '../../office/save-file.ts'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { awaySentence, callPartner } from './partner-calls.ts'

type FileButtonProps = {
  text: string
  fileName: string
  operation: unknown
  input?: Readonly<Record<string, string>>
}

/** Saves a file of the partner, and says so if the partner does not answer. */
export function FileButton({ text, fileName, operation, input = {} }: FileButtonProps) {
  const t = usePaymentsTexts()
  const download = useMutation({
    mutationFn: () => callPartner<Blob>(operation, input),
    onSuccess: (file) => saveFile(fileName, file),
  })
  return (
    <span className="grid gap-2">
      <Button disabled={download.isPending} onClick={() => download.mutate()}>
        <Download aria-hidden size={18} />
        {text}
      </Button>
      <Failure error={download.error} sentence={awaySentence(t)(download.error)} />
    </span>
  )
}
