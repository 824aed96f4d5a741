const mostTries = 20;

/**
 * Does something anew until it took no longer than so many milliseconds: what holds for a moment only cannot be asked
 * of a machine that has paused in between.
 *
 * @returns what the last one came to
 */
export async function inTime<T>(milliseconds: number, doing: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const begun = performance.now();
    const done = await doing();
    if (performance.now() - begun <= milliseconds || tries === mostTries) return done;
  }
}
