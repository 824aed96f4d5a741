/** What the work comes to, if it does so before the signal. The work itself goes on. @throws the signal's reason */
export async function inTime<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const late = Promise.withResolvers<never>();
  const giveUp = (): void => late.reject(signal.reason as Error);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
