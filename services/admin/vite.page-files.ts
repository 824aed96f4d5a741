import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetMe } from '@messaging-gateway/contracts';
import type { Plugin, Rollup } from 'vite';
import { doors, pages, type PageRow } from './web/app/page-list.ts';

const shell = '/web/app/shell.tsx';
/** What pages within the shell ask first. */
const firstAsked = `/api/v1${GetMe.path}`;

/**
 * Writes `.page-files.json`: which files each address needs beside those that `index.html` names, and what it asks first of an API at the same
 * origin, so that who serves the page can say so before the first of them runs. `[{ pathname, files, asks }]`, the first one that matches
 * counts; `pathname` as URLPattern takes it.
 */
export function pageFiles(): Plugin {
  return {
    name: 'page-files',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const first = withImports(
        chunks.filter(({ isEntry }) => isEntry),
        bundle,
      );
      const rows = [...doors.map((row) => [row] as const), ...pages.map((row) => [row, shell] as const)];
      const needed = rows.map(([row, ...around]) => {
        const parts = [...around, `/web/pages/${row.folder}/page.tsx`];
        const own = chunks.filter(({ facadeModuleId: id }) => parts.some((part) => id?.endsWith(part)));
        const files = [...withImports(own, bundle)].filter((name) => !first.has(name));
        return {
          pathname: pathnameOf(row),
          files: files.map((name) => `/${name}`),
          asks: around.length > 0 ? [firstAsked] : [],
        };
      });
      writeFileSync(join(dir, '.page-files.json'), JSON.stringify(needed));
    },
  };
}

/** Names of chunks and of all that they import at once. */
function withImports(chunks: readonly Rollup.OutputChunk[], bundle: Rollup.OutputBundle): ReadonlySet<string> {
  const names = new Set(chunks.map(({ fileName }) => fileName));
  for (const name of names) {
    const file = bundle[name];
    if (file?.type === 'chunk') for (const imported of file.imports) names.add(imported);
  }
  return names;
}

/** `/inbox/{-$conversationId}` of the router, where the last part may lack, is `/inbox/:conversationId?`. */
const pathnameOf = ({ path }: PageRow): string => path.replace(/\{-\$(\w+)\}/g, ':$1?').replace(/\$(\w+)/g, ':$1');
