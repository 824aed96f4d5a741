import { Link, useNavigate } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';

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

interface RowLinkGiven {
  /** Path of a page. */
  readonly to: string;
  /** Whether it leads to the present page. */
  readonly isPresent: boolean;
  readonly className: string;
  readonly children: ReactNode;
}

/** The same in a row of a long list, which knows by itself where the reader is: a link of the router is a third of what a row costs. */
export function RowLink({ to, isPresent, className, children }: RowLinkGiven) {
  const navigate = useNavigate();
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate({ to });
  };
  return (
    <a href={to} className={className} aria-current={isPresent ? 'page' : undefined} onClick={follow}>
      {children}
    </a>
  );
}
