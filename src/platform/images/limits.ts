/** The limits of decoding one image (decisions of the service; docs/uploads.md lists them). */
export const MAX_PIXELS = 40_000_000
/** Processor time instead of elapsed time, so that a busy machine refuses no image. */
export const MAX_CPU_MS = 2_000
export const MAX_MEMORY_BYTES = 64 * 2 ** 20
