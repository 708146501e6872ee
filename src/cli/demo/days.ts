import { addDays, addMs, msBetween, startOfDay } from '../../core/time.ts'
import type { manualClock } from '../../platform/clock.ts'
import { closeShift, openShift, order, receive } from './backroom.ts'
import type { DemoOutlet } from './catalogue.ts'
import type { Furnished, Place } from './furnish.ts'
import type { Random } from './random.ts'
import { type Visit, visitorsOf } from './visits.ts'

type Clock = ReturnType<typeof manualClock>
type Deed = { at: string; isVisit: boolean; run(): Promise<{ afterMinutes: number; run: Deed['run'] }[]> }

const HOURS: Record<DemoOutlet, { opens: number; closes: number; visitors: number }> = {
  cafe: { opens: 7 * 60, closes: 21 * 60, visitors: 42 },
  shop: { opens: 7 * 60, closes: 21 * 60 + 30, visitors: 38 },
  pharmacy: { opens: 8 * 60, closes: 20 * 60, visitors: 16 },
}
/** The last guests come in well before the door is locked, so that their bills are paid by then. */
const LAST_CALL_MINUTES = 75
const WEEKEND = 1.35

export type Story = {
  clock: Clock
  random: Random
  furnished: Furnished
  /** The first calendar day, and the instant at which the story ends. */
  firstDay: string
  days: number
  until: string
  /** Share of the usual number of visitors. */
  share: number
  /** Told after each visit; false asks to stop before the next day. */
  onVisit(): void
  goesOn(): boolean
}

/** Plans every visit of every day beforehand: the length of the story is known before it is told. */
export function planDays(story: Story): { visits: number; tell(): Promise<void> } {
  const visitors = new Map(
    story.furnished.places.map((place) => [place.key, visitorsOf(story.random, place, story.furnished)]),
  )
  const days = Array.from({ length: story.days }, (_, index) =>
    story.furnished.places.flatMap((place) => {
      const guests = visitors.get(place.key)
      return guests === undefined ? [] : dayAt(story, place, guests, index)
    }),
  )
  const cafe = visitors.get('cafe')
  if (cafe !== undefined) days.at(-1)?.push(...openAtTheEnd(story, cafe))
  const past = days.map((deeds) => deeds.filter(({ at }) => msBetween(at, story.until) > 0))
  return {
    visits: past.flat().filter(({ isVisit }) => isVisit).length,
    tell: async () => {
      for (const deeds of past) {
        if (!story.goesOn()) return
        await live(story, deeds)
      }
    },
  }
}

/** Guests who are in the café at this moment, so that the floor and the kitchen have something to show. */
function openAtTheEnd({ until }: Story, { guestsAtTable }: ReturnType<typeof visitorsOf>): Deed[] {
  const guests: [minutesAgo: number, visit: Visit][] = [
    [38, guestsAtTable([3, 6, 3], 20_000)],
    [14, guestsAtTable([3, 6])],
    [8, guestsAtTable([3])],
    [3, guestsAtTable([])],
  ]
  return guests.map(([minutesAgo, run]) => ({ at: addMs(until, -minutesAgo * 60_000), isVisit: true, run }))
}

/** Does what is due in order of time; what a deed sets off takes its place in the queue. */
async function live({ clock, until, onVisit }: Story, deeds: readonly Deed[]) {
  const queue = [...deeds].sort(byTime)
  for (let deed = queue.shift(); deed !== undefined; deed = queue.shift()) {
    if (msBetween(deed.at, until) <= 0) continue
    clock.set(deed.at)
    for (const { afterMinutes, run } of await deed.run()) {
      queue.push({ at: addMs(deed.at, afterMinutes * 60_000), isVisit: false, run })
    }
    queue.sort(byTime)
    if (deed.isVisit) onVisit()
  }
}

const byTime = (a: Deed, b: Deed) => msBetween(b.at, a.at)

/** 0 is Sunday. The first day of the epoch was a Thursday. */
const weekdayOf = (day: string) =>
  (msBetween('1970-01-01T00:00:00Z', `${day}T00:00:00Z`) / 86_400_000 + 4) % 7

function dayAt(story: Story, place: Place, guests: ReturnType<typeof visitorsOf>, index: number): Deed[] {
  const { random, furnished, firstDay, share } = story
  const { opens, closes, visitors } = HOURS[place.key]
  const day = addDays(firstDay, index)
  const midnight = startOfDay(day, place.timezone)
  const at = (minutes: number) => addMs(midnight, Math.round(minutes * 60_000))
  const quiet = (run: () => Promise<void>, minutes: number): Deed => ({
    at: at(minutes),
    isVisit: false,
    run: async () => {
      await run()
      return []
    },
  })
  const isWeekend = [0, 6].includes(weekdayOf(day))
  const count = Math.max(
    1,
    Math.round(visitors * share * (isWeekend ? WEEKEND : 1) * (0.85 + random.whole(0, 30) / 100)),
  )
  const visit = (): Visit => {
    if (place.key !== 'cafe') return guests.counter()
    return random.chance(0.45)
      ? guests.table
      : guests.counter(random.chance(0.7) ? { orderType: 'TAKEAWAY' } : {})
  }
  const visits = Array.from({ length: count }, (): Deed => {
    const minutes = random.whole(opens + 5, closes - LAST_CALL_MINUTES)
    return { at: at(minutes + random.whole(0, 59) / 60), isVisit: true, run: visit() }
  })
  return [
    quiet(() => openShift(place), opens),
    quiet(() => closeShift(place, random), closes),
    // Orders go out twice a week and come in on the next morning.
    ...(index % 7 === 0 || index % 7 === 3 ? [quiet(() => order(furnished.owner, place), closes - 30)] : []),
    ...(index % 7 === 1 || index % 7 === 4
      ? [quiet(() => receive(furnished.owner, place, day), opens - 20)]
      : []),
    ...visits,
  ]
}
