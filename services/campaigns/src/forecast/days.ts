const dayMs = 24 * 3_600_000;
/** Asia/Jakarta has no summer time. */
const aheadMs = 7 * 3_600_000;

/** The day of the daily limit, counted from 1970: it changes at 00:00 in Asia/Jakarta. */
export const limitDay = (time: number): number => Math.floor((time + aheadMs) / dayMs);

/** When such a day begins, milliseconds since 1970. */
export const beginOf = (day: number): number => day * dayMs - aheadMs;

/** `YYYY-MM-DD` */
export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);
