import { type RefObject, useEffect, useRef } from 'react'

/** What the browser may have: it is missing on most desktops and on iOS. */
type Detector = { detect(source: HTMLVideoElement): Promise<readonly { rawValue: string }[]> }
type Detectors = { BarcodeDetector?: new () => Detector }

const LOOK_MS = 150
/** The same code counts again after it was out of sight for this time. */
const SAME_CODE_MS = 1_500

const detectorClass = () => (globalThis as Detectors).BarcodeDetector
export const hasCamera = () =>
  detectorClass() !== undefined && navigator.mediaDevices?.getUserMedia !== undefined

export type CameraEvents = { onCode(code: string): void; onRefusal(): void }

/** Shows the camera in a video and reports the barcodes that it sees, as long as the video is there. */
export function useCamera(video: RefObject<HTMLVideoElement | null>, events: CameraEvents) {
  const latest = useRef(events)
  latest.current = events
  useEffect(() => {
    const Detector = detectorClass()
    const element = video.current
    if (Detector === undefined || element === null) return
    const stop = new AbortController()
    const onCode = (code: string) => latest.current.onCode(code)
    void watch(element, new Detector(), { signal: stop.signal, onCode }).catch(() => {
      if (!stop.signal.aborted) latest.current.onRefusal()
    })
    return () => stop.abort()
  }, [video])
}

type Watch = { signal: AbortSignal; onCode(code: string): void }

async function watch(element: HTMLVideoElement, detector: Detector, { signal, onCode }: Watch) {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  const end = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  if (signal.aborted) return end()
  signal.addEventListener('abort', end)
  element.srcObject = stream
  // A camera that sends no picture yet must not stop the reading.
  void element.play().catch(() => {})
  let last = { code: '', atMs: 0 }
  while (!signal.aborted) {
    // A frame that cannot be read yet is followed by the next one.
    const [found] = await detector.detect(element).catch(() => [])
    const atMs = Date.now()
    if (found !== undefined && !signal.aborted) {
      if (found.rawValue !== last.code || atMs - last.atMs >= SAME_CODE_MS) onCode(found.rawValue)
      last = { code: found.rawValue, atMs }
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
