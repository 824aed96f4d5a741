import { Batcher, type Write } from '@messaging-gateway/service';

/** Items of one statement, at most. */
const mostTogether = 100;

/**
 * Shares statements among all that is asked at the same time. No statement has two items with the same key: the second one comes
 * after it.
 */
export function together<Item, Result>(
  keyOf: (item: Item) => string,
  write: Write<Item, Result>,
): { add(item: Item): Promise<Result> } {
  return new Batcher<Item, Result>(async (items) => {
    const results: Result[] = [];
    let left = [...items.entries()];
    while (left.length > 0) {
      const keys = new Set<string>();
      const [now, later]: [typeof left, typeof left] = [[], []];
      for (const entry of left) {
        const key = keyOf(entry[1]);
        (keys.has(key) ? later : now).push(entry);
        keys.add(key);
      }
      const written = await write(now.map(([, item]) => item));
      now.forEach(([index], place) => (results[index] = written[place] as Result));
      left = later;
    }
    return results;
  }, mostTogether);
}
