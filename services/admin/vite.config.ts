import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { operations, webhookEventKinds } from '@messaging-gateway/contracts';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { pageFiles } from './vite.page-files.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const table = 'virtual:operations';

/** Method, path and access of every route, by the name of the operation; its types are in `web/api/operations.ts`. */
function operationTable(): Plugin {
  const rows = operations.map(({ name, method, path, access }) => [name, [method, path, access]]);
  return {
    name: 'operation-table',
    resolveId: (id) => (id === table ? `\0${table}` : undefined),
    load: (id) =>
      id === `\0${table}` ? `export const operations = ${JSON.stringify(Object.fromEntries(rows))};` : undefined,
  };
}

/** Values of contracts that pages offer as choices. Whoever imports one gets that one only. */
function contractWords(): Plugin {
  const name = 'virtual:words';
  return {
    name: 'contract-words',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) =>
      id === `\0${name}` ? `export const webhookEventKinds = ${JSON.stringify(webhookEventKinds)};` : undefined,
  };
}

/** Size from which a file is packed: a smaller one would hardly be less. Bytes. */
const worthPacking = 1024;

/**
 * Writes `.br` and `.gz` beside what can be packed. In `writeBundle`: before it, files still hold marks of the bundler
 * in place of names.
 */
function packed(): Plugin {
  return {
    name: 'packed',
    apply: 'build',
    writeBundle({ dir = join(root, 'dist') }) {
      const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
      for (const name of names.filter((file) => /\.(js|css|html|svg|json|webmanifest)$/.test(file))) {
        const content = readFileSync(join(dir, name));
        if (content.length < worthPacking) continue;
        const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
        writeFileSync(join(dir, `${name}.br`), brotliCompressSync(content, brotli));
        writeFileSync(join(dir, `${name}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  };
}

/** Pages by their folder, so that whoever looks at what is loaded knows what it is. */
const chunkName = ({ facadeModuleId: file, name }: { facadeModuleId?: string | null; name: string }): string =>
  `assets/${/\/pages\/([\w-]+)\/page\.tsx$/.exec(file ?? '')?.[1]?.replace(/^/, 'page-') ?? name}-[hash].js`;

const inWeb = (...paths: readonly string[]): string => `/services/admin/web/(?:${paths.join('|')})\\.tsx?$`;

/**
 * What is loaded together goes as one file: each by itself costs its headers and its turn on a connection, and packs worse. Libraries and what
 * every page needs; then the frame of who is signed in, with what most pages in it need; then each page.
 */
const groups = [
  {
    name: 'libraries',
    test: /rolldown\/runtime|\/node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?!(?:react-)?virtual)[\w-]+)\//,
    priority: 3,
  },
  {
    name: 'frame',
    test: new RegExp(
      `${inWeb(
        'app/(?:bell|navigation|palette|shell|shortcuts|visible-pages)',
        'kit/(?:actions|card|confirm|filters|in-address|load-more|loaded|menu|small-table|table|write-dialog)',
        'live/[\\w-]+',
        'profiles/[\\w-]+',
        'push/leaving',
      )}|/node_modules/@tanstack/`,
    ),
    priority: 2,
  },
  {
    name: 'core',
    test: new RegExp(
      `${inWeb(
        '(?:api|app|language|session|words)/[\\w-]+',
        'kit/(?:appearance|button|copy|dialog|fields|form|icon|icon-paths|keys|link|page|problem-alert|say|texts)',
      )}|${table}|/preload-helper`,
    ),
    priority: 1,
  },
];

export default defineConfig({
  root,
  envPrefix: 'ADMIN_PUBLIC_',
  plugins: [operationTable(), contractWords(), react(), tailwindcss(), packed(), pageFiles()],
  build: {
    rolldownOptions: {
      output: { chunkFileNames: chunkName, codeSplitting: { includeDependenciesRecursively: false, groups } },
    },
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
