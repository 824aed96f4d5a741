export const appearances = ['system', 'light', 'dark'] as const;
export type Appearance = (typeof appearances)[number];

const key = 'gateway.appearance';

/** The appearance that was chosen in this browser. */
export function storedAppearance(): Appearance {
  const stored = localStorage.getItem(key);
  return appearances.find((appearance) => appearance === stored) ?? 'system';
}

/** Lets the page look so, from now on. */
export function appear(appearance: Appearance): void {
  localStorage.setItem(key, appearance);
  document.documentElement.dataset['appearance'] = appearance;
}
