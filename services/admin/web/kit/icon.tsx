import { iconPaths, type IconName } from './icon-paths.ts';

export type { IconName } from './icon-paths.ts';

/** A drawing beside a word; it is not read out. Those that point forward turn in right-to-left languages. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  const points = ['back', 'forward', 'send', 'reply', 'out'].includes(name);
  return (
    <svg
      aria-hidden="true"
      className={`shrink-0 ${points ? 'rtl:-scale-x-100' : ''}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={iconPaths[name]} />
    </svg>
  );
}
