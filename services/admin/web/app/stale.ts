const reloadedKey = 'gateway.reloaded';
const longAgoMs = 60_000;

/** A file that a new build of the pages has replaced. */
const isStale = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script|Unable to preload/i.test(error.message);

/** Loads the page again when a file of it is gone after an update, once a minute at most. @returns whether it does */
export function reloadWhenStale(error: unknown): boolean {
  if (!isStale(error) || Date.now() - Number(sessionStorage.getItem(reloadedKey) ?? 0) < longAgoMs) return false;
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  location.reload();
  return true;
}

/** Loads a file of a page; where it is gone, the page instead: nothing is shown, or said, of what will be gone in a moment. */
export const loading =
  <T>(load: () => Promise<T>) =>
  (): Promise<T> =>
    load().catch((error: unknown) => {
      if (reloadWhenStale(error)) return new Promise<never>(() => undefined);
      throw error;
    });
