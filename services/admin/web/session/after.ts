/**
 * Where somebody goes after signing in: path and query of `next`, when it leads to this origin; else the overview.
 */
export function placeAfter(next: string | undefined, origin: string): string {
  if (next === undefined) return '/';
  try {
    const url = new URL(next, origin);
    if (url.origin !== origin || /^\/(sign-in|register)/.test(url.pathname) || url.pathname.startsWith('//'))
      return '/';
    return `${url.pathname}${url.search}`;
  } catch {
    return '/';
  }
}
