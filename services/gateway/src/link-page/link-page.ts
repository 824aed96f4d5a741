import { readFileSync } from 'node:fs';
import { Router, type RequestHandler } from 'express';

const files = {
  '/link': ['page.html', 'text/html; charset=utf-8'],
  '/link/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/link/texts.js': ['texts.js', 'text/javascript; charset=utf-8'],
  '/link/page.css': ['page.css', 'text/css; charset=utf-8'],
} as const;

/** Nothing from elsewhere, nothing that leads there but the page's own way back. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The page for linking, the same for all profiles: which one it is about stands behind the `#` of its URL, which
 * browsers keep to themselves. So no server, proxy or log on the way learns the token.
 */
export function linkPage(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, [name, type]] of Object.entries(files)) {
    const text = readFileSync(new URL(`browser/${name}`, import.meta.url));
    router.get(path, guarded, (_request, response) => void response.setHeader('Content-Type', type).end(text));
  }
  return router;
}

const guarded: RequestHandler = (_request, response, next) => {
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Robots-Tag', 'noindex');
  next();
};
