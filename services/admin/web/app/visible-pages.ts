import type { Me } from '../session/me.tsx';
import { loaderOf } from './page-files.ts';
import { pages, type PageRow } from './page-list.ts';

export type LinkedPage = PageRow & { readonly link: NonNullable<PageRow['link']> };

/** The pages in the navigation of somebody: those that are there and that the role allows. */
export const visiblePages = ({ permissions }: Me): readonly LinkedPage[] =>
  pages.filter(
    (page): page is LinkedPage =>
      page.link !== undefined &&
      loaderOf(page) !== undefined &&
      (page.permission === undefined || permissions.includes(page.permission)),
  );
