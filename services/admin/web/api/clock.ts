let ahead = 0;

/** Notes the server's time from an answer: the clock of this machine may be off by a day. @param date its `Date` header */
export function noteServerTime(date: string | null): void {
  const at = Date.parse(date ?? '');
  if (!Number.isNaN(at)) ahead = at - Date.now();
}

/** Milliseconds since 1970 by the server's clock, to a second or two. */
export const serverNow = (): number => Date.now() + ahead;
