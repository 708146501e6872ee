import { Camera, CameraOff } from 'lucide-react'
import { useRef, useState } from 'react'
import { useOfficeTexts } from '../../../texts/office/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { type CameraEvents, hasCamera, useCamera } from './use-camera.ts'

/** A button that reads barcodes by the camera, if the browser supports it. */
export function CountCamera({ onCode }: { onCode(code: string): void }) {
  const t = useOfficeTexts()
  const [state, setState] = useState<'off' | 'on' | 'refused'>('off')
  if (!hasCamera()) return null
  const isOn = state === 'on'
  return (
    <div className="grid gap-3">
      <Button onClick={() => setState(isOn ? 'off' : 'on')}>
        {isOn ? <CameraOff aria-hidden size={20} /> : <Camera aria-hidden size={20} />}
        {t(isOn ? 'count.cameraOff' : 'count.camera')}
      </Button>
      {state === 'refused' && (
        <p role="alert" className="text-sm text-danger">
          {t('count.cameraRefused')}
        </p>
      )}
      {isOn && <Viewfinder onCode={onCode} onRefusal={() => setState('refused')} />}
    </div>
  )
}

function Viewfinder(events: CameraEvents) {
  const t = useOfficeTexts()
  const video = useRef<HTMLVideoElement>(null)
  useCamera(video, events)
  return (
    <video
      ref={video}
      aria-label={t('count.camera')}
      muted
      playsInline
      className="aspect-4/3 w-full max-w-md rounded-xl bg-shade object-cover"
    />
  )
}
