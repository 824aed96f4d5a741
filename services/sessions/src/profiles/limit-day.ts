const dayMs = 86_400_000;
/** Asia/Jakarta is UTC+7 all year. */
const jakartaMs = 7 * 3_600_000;

/** The day of the daily limit, `YYYY-MM-DD` in Asia/Jakarta. @param time milliseconds since 1970 */
export const dayOf = (time: number): string => new Date(time + jakartaMs).toISOString().slice(0, 10);

/** The first 00:00 in Asia/Jakarta after a time, milliseconds since 1970. */
export const nextDay = (time: number): number => (Math.floor((time + jakartaMs) / dayMs) + 1) * dayMs - jakartaMs;
