import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { builtFiles, type BuiltFile } from './built-files.ts';
import { pageFiles } from './page-files.ts';
import { policy } from './policy.ts';

export type PagesHandler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

interface PagesOptions {
  /** Folder of the built app. */
  readonly folder: string;
  /** URL of the API where it is another origin than that of the page: `ADMIN_PUBLIC_API_URL`. */
  readonly apiUrl: string | undefined;
}

const page = '/index.html';
/** Paths of others: nothing below them is a page. */
const ofOthers = /^\/(?:api|link|assets)(?:\/|$)/;

/**
 * Serves the built web app: its files, and the page for every other path that a browser opens. Undefined where none has been built.
 * What is neither goes on to `next`.
 */
export function adminPages({ folder, apiUrl }: PagesOptions): PagesHandler | undefined {
  if (!existsSync(join(folder, page))) return undefined;
  const files = builtFiles(folder);
  const filesOfPage = pageFiles(folder, apiUrl === undefined);
  const headers = headersOf(apiUrl === undefined ? undefined : new URL(apiUrl).origin);
  return (request, response, next) => {
    const { method, url = '/' } = request;
    if (method !== 'GET' && method !== 'HEAD') return next();
    const path = url.replace(/[?#].*$/s, '');
    const file = path === page ? undefined : files.get(path);
    if (file !== undefined) return send(request, response, file, headers[kindOf(path)]);
    const shown = files.get(page);
    if (shown === undefined || ofOthers.test(path) || !wantsPage(request)) return next();
    send(request, response, shown, { ...headers.page, ...filesOfPage(path) });
  };
}

/** Browsers name it when they open a page; programs that take anything do not. */
const wantsPage = ({ headers }: IncomingMessage): boolean => accepts(headers.accept, 'text/html');

const kindOf = (path: string): 'hashed' | 'drawing' | 'worker' =>
  path.startsWith('/assets/') ? 'hashed' : path.endsWith('.svg') ? 'drawing' : 'worker';

function headersOf(api: string | undefined) {
  const all = {
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    Vary: 'Accept-Encoding',
  };
  const policed = { ...all, 'Content-Security-Policy': policy(api) };
  return {
    hashed: { ...all, 'Cache-Control': 'public, max-age=31536000, immutable' },
    /** A worker and a drawing have a policy of their own, not that of the page. A page shows its drawing more than once. */
    drawing: { ...policed, 'Cache-Control': 'public, max-age=3600' },
    worker: { ...policed, 'Cache-Control': 'no-cache' },
    page: {
      ...policed,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
      'X-Robots-Tag': 'noindex',
      'Cache-Control': 'no-cache',
      Vary: 'Accept, Accept-Encoding',
    },
  };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  file: BuiltFile,
  headers: Readonly<Record<string, string>>,
): void {
  const { 'if-none-match': known, 'accept-encoding': encodings } = request.headers;
  const isKnown = known !== undefined && known.split(/,\s*/).includes(file.tag);
  const [encoding, packed] = [...file.packed].find(([name]) => accepts(encodings, name)) ?? [];
  const content = packed ?? file.content;
  response.writeHead(isKnown ? 304 : 200, {
    ...headers,
    ETag: file.tag,
    ...(!isKnown && {
      'Content-Type': file.type,
      'Content-Length': content.length,
      ...(encoding !== undefined && { 'Content-Encoding': encoding }),
    }),
  });
  response.end(isKnown || request.method === 'HEAD' ? undefined : content);
}

/** Whether a list such as `text/html,application/xml;q=0.9` names this. */
const accepts = (list: string | undefined, wanted: string): boolean =>
  (list ?? '').split(',').some((item) => {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    return name === wanted && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
