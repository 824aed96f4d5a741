const firstMs = 100;
const longestMs = 5_000;

/** Milliseconds until the next try, with a spread, so that services do not all come at once. @param failures before this */
export function reconnectWait(failures: number): number {
  const wait = Math.min(firstMs * 2 ** Math.min(failures, 16), longestMs);
  return Math.round(wait * (0.75 + Math.random() * 0.5));
}
