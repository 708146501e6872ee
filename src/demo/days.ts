import { addDays, addMs, msBetween, startOfDay } from '../core/time.ts'
import type { manualClock } from '../platform/clock.ts'
import { closeShift, openShift, order, payDebt, receive, throwAway } from './backroom.ts'
import type { DemoShop, FurnishedDemo } from './furnish.ts'
import { type DemoOutlet, OWES } from './outlets.ts'
import { type Random, randomOf } from './random.ts'
import {
  cafeSale,
  counterSale,
  deliverySale,
  type Later,
  type Scene,
  stillAtTable,
  tableSale,
  type Visit,
} from './visits.ts'

type Clock = ReturnType<typeof manualClock>
type Deed = { at: string; place: DemoOutlet; isVisit: boolean; run(): Promise<Later[]> }

const HOURS: Record<DemoOutlet, { opens: number; closes: number; visitors: number }> = {
  cafe: { opens: 7 * 60, closes: 21 * 60, visitors: 34 },
  shop: { opens: 7 * 60, closes: 21 * 60 + 30, visitors: 30 },
  pharmacy: { opens: 8 * 60, closes: 20 * 60, visitors: 12 },
}
/** The last guests arrive well before closing time, so that their bills are paid by then. */
const LAST_CALL_MINUTES = 75
const WEEKEND = 1.35

export type Story = {
  clock: Clock
  /** The same seed produces the same story. */
  seed: number
  furnished: FurnishedDemo
  /** The first calendar day, and the instant at which the story ends. */
  firstDay: string
  days: number
  until: string
  /** Fraction of the usual number of visitors. */
  share: number
  /** Called after each visit. */
  onVisit(): void
  /** Called when a visitor leaves because there is too little in stock. */
  onMissed(): void
  /** Returns false to end the story before the next day. */
  goesOn(): boolean
  /** Where an interrupted story resumes; if absent, it starts at the beginning. */
  bookmark?: Bookmark | undefined
  /** Called before a day (null if it has begun) and after it. */
  onDay?(bookmark: Bookmark | null): Promise<void>
}

/**
 * Between two days all bills are paid and all shifts are closed: the rest of the story depends only on this state.
 */
export type Bookmark = { day: number; randoms: readonly number[] }

/** Plans every visit of every day beforehand, so that the length of the story is known before it runs. */
export function planDays(story: Story): { visits: number; tell(): Promise<{ toldDays: number }> } {
  // Each outlet has its own random source: outlets run concurrently, and the story stays the same.
  const { furnished, seed, onMissed } = story
  const scenes = furnished.places.map(
    (place, index): Scene => ({
      random: randomOf(seed + index),
      place,
      furnished,
      busy: new Set(),
      onMissed,
    }),
  )
  const days = Array.from({ length: story.days }, (_, index) =>
    scenes.flatMap((scene) => dayAt(story, scene, index)),
  )
  const cafe = scenes.find(({ place }) => place.key === 'cafe')
  if (cafe !== undefined) days.at(-1)?.push(...openAtTheEnd(story, cafe))
  const past = days.map((deeds) => deeds.filter(({ at }) => msBetween(at, story.until) > 0))
  const { bookmark = { day: 0, randoms: scenes.map(({ random }) => random.state) }, onDay = async () => {} } =
    story
  return {
    visits: past
      .slice(bookmark.day)
      .flat()
      .filter(({ isVisit }) => isVisit).length,
    tell: async () => {
      // The plan was computed again; the days themselves resume where they stopped.
      for (const [index, { random }] of scenes.entries())
        random.state = bookmark.randoms[index] ?? random.state
      for (const [index, deeds] of past.entries()) {
        if (index < bookmark.day) continue
        if (!story.goesOn()) return { toldDays: index }
        await onDay(null)
        await live(story, deeds)
        await onDay({ day: index + 1, randoms: scenes.map(({ random }) => random.state) })
      }
      return { toldDays: past.length }
    },
  }
}

/**
 * Guests in the café at this moment: fifteen bills, some served, some ready at the pass, some cooking, some just
 * sent.
 */
function openAtTheEnd({ until }: Story, cafe: Scene): Deed[] {
  const guests: [minutesAgo: number, steps: number[], deposit?: number][] = [
    ...[55, 47, 38].map((minutes): [number, number[], number] => [
      minutes,
      [3, 6, 3],
      minutes === 38 ? 20_000 : 0,
    ]),
    ...[24, 21, 18, 14].map((minutes): [number, number[]] => [minutes, [3, 6]]),
    ...[12, 10, 9, 8].map((minutes): [number, number[]] => [minutes, [3]]),
    ...[5, 4, 3, 2].map((minutes): [number, number[]] => [minutes, []]),
  ]
  return guests.map(([minutesAgo, steps, deposit]) => ({
    at: addMs(until, -minutesAgo * 60_000),
    place: 'cafe',
    isVisit: true,
    run: stillAtTable(cafe, steps, deposit),
  }))
}

/** Runs due actions in order of time; an action may add later ones to the queue. */
async function live({ clock, until, onVisit }: Story, deeds: readonly Deed[]) {
  let queue = [...deeds].sort(byTime)
  while (queue.length > 0) {
    const round = nextRound(queue)
    const at = round[0]?.at ?? until
    clock.set(at)
    const followed = await Promise.all(round.map((deed) => act(deed, at)))
    for (const { isVisit } of round) if (isVisit) onVisit()
    const later = followed.flat().filter((deed) => msBetween(deed.at, until) > 0)
    queue = [...queue.filter((deed) => !round.includes(deed)), ...later].sort(byTime)
  }
}

const ROUND_MS = 10 * 60_000

/**
 * Returns the next due action, and the actions of other outlets at about the same time: one per outlet, each in its
 * outlet's order.
 */
function nextRound(queue: readonly Deed[]): Deed[] {
  const [first] = queue
  if (first === undefined) return []
  const near = queue.filter(({ at }) => msBetween(first.at, at) <= ROUND_MS)
  return near.filter((deed, index) => near.findIndex(({ place }) => place === deed.place) === index)
}

async function act({ place, run }: Deed, at: string): Promise<Deed[]> {
  const later = await run()
  return later.map((deed) => ({
    at: addMs(at, deed.afterMinutes * 60_000),
    place,
    isVisit: false,
    run: deed.run,
  }))
}

const byTime = (a: Deed, b: Deed) => msBetween(b.at, a.at)

/** 0 is Sunday. 1970-01-01 was a Thursday. */
const weekdayOf = (day: string) =>
  (msBetween('1970-01-01T00:00:00Z', `${day}T00:00:00Z`) / 86_400_000 + 4) % 7

function dayAt({ firstDay, days, share }: Story, scene: Scene, index: number): Deed[] {
  const { place, random, furnished } = scene
  const { opens, closes, visitors } = HOURS[place.key]
  const day = addDays(firstDay, index)
  const midnight = startOfDay(day, place.timezone)
  const at = (minutes: number) => addMs(midnight, Math.round(minutes * 60_000))
  const quiet = (run: () => Promise<void>, minutes: number): Deed => ({
    at: at(minutes),
    place: place.key,
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
  // Orders go out twice a week and arrive the next morning. In the last days the café and the shop order nothing, so
  // stock runs low. The pharmacy still orders: unlike other goods, batches cannot be sold below zero.
  const buysIn = place.key === 'pharmacy' || index < days - 6
  const visit = (): Visit => {
    if (place.key !== 'cafe') return counterSale(scene)
    if (random.chance(0.4)) return tableSale(scene)
    if (random.chance(0.15)) return deliverySale(scene)
    return cafeSale(scene, random.chance(0.5) ? { orderType: 'TAKEAWAY' } : {})
  }
  const visits = Array.from({ length: count }, (): Deed => {
    const minutes = random.whole(opens + 5, closes - LAST_CALL_MINUTES)
    return { at: at(minutes + random.whole(0, 59) / 60), place: place.key, isVisit: true, run: visit() }
  })
  return [
    quiet(() => openShift(place), opens),
    ...(place.key === 'shop' ? [quiet(() => closeShop(furnished, place, random, index), closes - 5)] : []),
    quiet(() => closeShift(place, random), closes),
    ...(buysIn && [0, 3].includes(index % 7)
      ? [quiet(() => order(furnished.owner, place), closes - 30)]
      : []),
    ...(buysIn && [1, 4].includes(index % 7)
      ? [quiet(() => receive(furnished.owner, place, day), opens - 20)]
      : []),
    ...visits,
  ]
}

/** Before the shop closes, goods that are no longer fresh are thrown away. On one evening of a week the debt is paid. */
async function closeShop(
  { owner, customers }: FurnishedDemo,
  place: DemoShop,
  random: Random,
  index: number,
) {
  await throwAway(owner, place, random)
  const customerId = customers[OWES]
  if (index % 7 === 5 && customerId !== undefined) await payDebt(owner, place, customerId)
}
