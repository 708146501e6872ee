let context: AudioContext | undefined

/** A low tone: the till did not do what was asked. Silent where a browser allows no sound yet. */
export function beep() {
  try {
    context ??= new AudioContext()
    const [tone, volume] = [context.createOscillator(), context.createGain()]
    tone.frequency.value = 220
    tone.type = 'square'
    volume.gain.value = 0.15
    tone.connect(volume).connect(context.destination)
    tone.start()
    tone.stop(context.currentTime + 0.25)
  } catch {
    // The screen says it as well.
  }
}
