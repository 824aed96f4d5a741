import { useSyncExternalStore } from 'react';

/** Where the navigation has a place beside the page; `md` of the styles. */
const wide = matchMedia('(width >= 48rem)');

function onChange(told: () => void): () => void {
  wide.addEventListener('change', told);
  return () => wide.removeEventListener('change', told);
}

/** Whether the window is wider than a telephone: what is not seen on one need not be drawn there. */
export const useWide = (): boolean => useSyncExternalStore(onChange, () => wide.matches);
