/** A list as far as it is loaded, newest first; `nextCursor` leads on. */
export interface Kept<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
  readonly total?: number | undefined;
}

interface Named {
  readonly id: string;
}

/** Whether one item stands before another; of two that neither does, the one that came last stands first. */
type Before<T> = (one: T, other: T) => boolean;

/**
 * The list with an item in its place, new or changed. One that belongs behind what is loaded is left to be loaded.
 */
export function upserted<T extends Named>(kept: Kept<T>, item: T, before: Before<T>): Kept<T> {
  const known = kept.items.find(({ id }) => id === item.id);
  if (known !== undefined && !before(item, known) && !before(known, item)) return patched(kept, item.id, () => item);
  const others = kept.items.filter(({ id }) => id !== item.id);
  const isNew = known === undefined;
  const found = others.findIndex((other) => !before(other, item));
  const at = found < 0 ? others.length : found;
  const isBehind = found < 0 && kept.nextCursor !== null;
  const items = isBehind ? others : [...others.slice(0, at), item, ...others.slice(at)];
  return { ...kept, items, ...(isNew && kept.total !== undefined && { total: kept.total + 1 }) };
}

/** The list with one item changed, where it stands. */
export function patched<T extends Named>(kept: Kept<T>, id: string, change: (item: T) => T): Kept<T> {
  if (!kept.items.some((item) => item.id === id)) return kept;
  return { ...kept, items: kept.items.map((item) => (item.id === id ? change(item) : item)) };
}

/** The list without an item. */
export function without<T extends Named>(kept: Kept<T>, id: string): Kept<T> {
  const items = kept.items.filter((item) => item.id !== id);
  if (items.length === kept.items.length) return kept;
  return { ...kept, items, ...(kept.total !== undefined && { total: Math.max(0, kept.total - 1) }) };
}

/** The list with a further page behind it. */
export function appended<T extends Named>(kept: Kept<T>, page: Kept<T>): Kept<T> {
  const known = new Set(kept.items.map(({ id }) => id));
  return {
    ...kept,
    items: [...kept.items, ...page.items.filter(({ id }) => !known.has(id))],
    nextCursor: page.nextCursor,
    total: page.total ?? kept.total,
  };
}

/**
 * The list after its first page was read anew. Where that meets what was loaded, the rest stays; where it does not, something is
 * missing between them, and the list begins anew.
 */
export function renewed<T extends Named>(kept: Kept<T> | undefined, page: Kept<T>): Kept<T> {
  const last = page.items.at(-1);
  const meets = kept?.items.findIndex(({ id }) => id === last?.id) ?? -1;
  if (kept === undefined || meets < 0) return page;
  const known = new Set(page.items.map(({ id }) => id));
  const rest = kept.items.slice(meets + 1).filter(({ id }) => !known.has(id));
  if (rest.length === 0) return page;
  return { items: [...page.items, ...rest], nextCursor: kept.nextCursor, total: page.total };
}
