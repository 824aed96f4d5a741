interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** Pages as they were read, the newest first; `pageParams` are the cursors that led to them. */
interface Pages<P> {
  readonly pages: P[];
  readonly pageParams: unknown[];
}

interface Named {
  readonly id: string;
}

/** The pages with one item changed, where it stands. */
export function changed<P extends Page<Named>>(
  kept: Pages<P>,
  id: string,
  change: (item: P['items'][number]) => P['items'][number],
): Pages<P> {
  const pages = kept.pages.map((page) =>
    page.items.some((item) => item.id === id)
      ? { ...page, items: page.items.map((item) => (item.id === id ? change(item) : item)) }
      : page,
  );
  return { ...kept, pages };
}

/**
 * The pages after their first one was read anew. What was in it and is behind it now goes on to the second one; where the new
 * page does not meet what was there, something is missing between them, and the list begins anew.
 */
export function renewed<P extends Page<Named>>(kept: Pages<P>, first: P): Pages<P> {
  const [old, ...rest] = kept.pages;
  const last = first.items.at(-1);
  if (old === undefined || last === undefined || rest.length === 0)
    return { pages: [first], pageParams: kept.pageParams.slice(0, 1) };
  const meets = old.items.findIndex(({ id }) => id === last.id);
  if (meets < 0) return { pages: [first], pageParams: kept.pageParams.slice(0, 1) };
  const behind = old.items.slice(meets + 1);
  return {
    pages: [{ ...first, items: [...first.items, ...behind], nextCursor: old.nextCursor }, ...rest],
    pageParams: kept.pageParams,
  };
}
