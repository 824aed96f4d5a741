/**
 * Content security policy of the page: its own files, and the API. No inline script or style, and no text that becomes
 * a script; the one policy of Trusted Types is for the service worker.
 *
 * @param api origin of an API that is another one than the page's
 */
export function policy(api: string | undefined): string {
  const and = api === undefined ? '' : ` ${api}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob:${and}`,
    `media-src 'self' blob:${and}`,
    "font-src 'self'",
    `connect-src 'self'${and}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types service-worker',
  ].join('; ');
}
