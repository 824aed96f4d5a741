import type { ComponentType } from 'react';
import type { ReadFirst } from '../session/readings.ts';
import type { PageRow } from './page-list.ts';
import { loading } from './stale.ts';

/** Exports of a page's file. */
interface PageFile {
  readonly PageContent: ComponentType;
  readonly readFirst?: ReadFirst;
}

export type Loader = () => Promise<PageFile>;

/** The pages that are there, by their file; each is loaded when it is first shown. */
const files = import.meta.glob<PageFile>('../pages/*/page.tsx');

/** Loads a page; undefined where there is none yet. */
export function loaderOf({ folder }: PageRow): Loader | undefined {
  const load = files[`../pages/${folder}/page.tsx`];
  return load && loading(load);
}
