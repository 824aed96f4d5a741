import { describe, expect, it } from '@jest/globals';
import { changed, renewed } from './log-pages.ts';

const page = (ids: string, nextCursor: string | null) => ({
  items: [...ids].map((id) => ({ id, status: 'sent' })),
  nextCursor,
});
const kept = { pages: [page('dcb', 'b'), page('a', null)], pageParams: ['', 'b'] };
const idsOf = ({ pages }: Pick<typeof kept, 'pages'>) => pages.map(({ items }) => items.map(({ id }) => id).join(''));

describe('pages of a log', () => {
  it('change one message where it stands', () => {
    const { pages } = changed(kept, 'a', (one) => ({ ...one, status: 'read' }));
    expect(pages[1]?.items).toEqual([{ id: 'a', status: 'read' }]);
    expect(pages[0]).toBe(kept.pages[0]);
  });

  it('take what is new, and keep what is behind it', () => {
    const now = renewed(kept, page('fed', 'd'));
    expect([idsOf(now), now.pages[0]?.nextCursor, now.pageParams]).toEqual([['fedcb', 'a'], 'b', ['', 'b']]);
  });

  it('lose what was deleted', () => expect(idsOf(renewed(kept, page('edb', 'b')))).toEqual(['edb', 'a']));

  it('begin anew where something is missing between them', () => {
    const now = renewed(kept, page('ihg', 'g'));
    expect([idsOf(now), now.pages[0]?.nextCursor, now.pageParams]).toEqual([['ihg'], 'g', ['']]);
  });

  it('are one page where there was one', () => {
    expect(idsOf(renewed({ pages: [page('cba', null)], pageParams: [''] }, page('dcb', 'b')))).toEqual(['dcb']);
  });
});
