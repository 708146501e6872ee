let context: AudioContext | undefined

/** A low tone for a refused action. Silent if the browser allows no sound yet. */
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

/** Two rising tones: a new ticket. Silent if the browser allows no sound yet. */
export function chime() {
  try {
    context ??= new AudioContext()
    for (const [at, pitch] of [660, 880].entries()) {
      const [tone, volume] = [context.createOscillator(), context.createGain()]
      const startsAt = context.currentTime + at * 0.18
      tone.frequency.value = pitch
      volume.gain.value = 0.3
      tone.connect(volume).connect(context.destination)
      tone.start(startsAt)
      tone.stop(startsAt + 0.16)
    }
  } catch {
    // The new ticket is outlined as well.
  }
}
