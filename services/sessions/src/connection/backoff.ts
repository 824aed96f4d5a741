const firstMs = 500;
const mostMs = 60_000;

/** How long to wait before the next attempt, milliseconds: doubles with each, up to a minute, with jitter of a half. */
export function backoffMs(attempt: number, random: number = Math.random()): number {
  const whole = Math.min(mostMs, firstMs * 2 ** Math.min(attempt, 20));
  return Math.round(whole * (0.5 + random / 2));
}
