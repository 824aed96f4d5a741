const keptMs = 500;

/** Gives one answer to all who ask within half a second, so that anybody may ask as often as they like. */
export function onceInAWhile<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  let until = 0;
  return () => {
    const now = performance.now();
    if (asked === undefined || now >= until) {
      asked = ask();
      until = now + keptMs;
    }
    return asked;
  };
}
