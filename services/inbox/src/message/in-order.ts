/**
 * Runs work of one key one after the other, in the order in which it is handed in; a failure holds up nothing.
 *
 * @returns hands in work
 */
export function inOrder(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const done = before.then(work, work);
    last.set(key, done);
    const forget = (): void => {
      if (last.get(key) === done) last.delete(key);
    };
    done.then(forget, forget);
    return done;
  };
}
