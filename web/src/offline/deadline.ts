/**
 * Whether a time that this device has written is over. It lies at most `longestMs` ahead, unless the clock was set back
 * since: then it is over too.
 */
export const isOver = (untilMs: number, longestMs: number, nowMs: number): boolean =>
  untilMs <= nowMs || untilMs > nowMs + longestMs
