/**
 * Waits for work whose outcome does not matter, but no longer than so many milliseconds; late work goes on all the same.
 *
 * @returns whether it was settled by then. Never rejects
 */
export async function settledWithin(ms: number, work: Promise<unknown> | undefined): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  const done = Promise.allSettled([work]).then(() => true);
  const isDone = await Promise.race([done, late]);
  clearTimeout(timer);
  return isDone;
}
