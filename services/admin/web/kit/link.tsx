import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface Given {
  /** Path and query of a page: `/profiles/${id}`. */
  readonly to: string;
  readonly children: ReactNode;
  readonly className?: string;
  readonly 'aria-label'?: string;
  readonly 'aria-setsize'?: number;
  readonly 'aria-posinset'?: number;
  /** Whether the link counts as the present one also on pages below it. */
  readonly isAbove?: boolean;
}

/** A link to another page here; `aria-current="page"` where it leads to the present one. */
export function PageLink({ to, className = 'link', isAbove = false, ...given }: Given) {
  const [path = '/', search] = to.split('?');
  return (
    <Link
      {...given}
      to={path}
      {...(search !== undefined && { search: Object.fromEntries(new URLSearchParams(search)) })}
      activeOptions={{ exact: !isAbove, includeSearch: false }}
      className={className}
    />
  );
}
