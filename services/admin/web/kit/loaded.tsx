import { useDeferredValue, type ReactNode } from 'react';
import type { Problem } from '../api/problem.ts';
import { Loading, NotAllowed, NotFound } from './page.tsx';
import { ProblemAlert } from './problem-alert.tsx';

interface Given<T> {
  readonly of: {
    readonly data: T | undefined;
    readonly problem: Problem | undefined;
    readonly retry: () => void;
  };
  readonly children: (data: T) => ReactNode;
  /** In place of the quiet blocks. */
  readonly waiting?: ReactNode;
}

/** A thing that does not exist, and an id that is none. */
const isMissing = ({ status, faults }: Problem): boolean =>
  status === 404 || (status === 400 && faults.some(({ path }) => path.startsWith('params')));

/**
 * Content of an answer, once it is there. Before: quiet blocks, or what went wrong with a way to try again. *Not found*
 * and *Not allowed* take the place of the page, or of the part of it that asked.
 */
export function Loaded<T>({ of: { data, problem, retry }, children, waiting }: Given<T>) {
  // It appears as a transition, which is drawn in pieces; whatever changes in it afterwards does at once.
  const isThere = useDeferredValue(data !== undefined);
  if (problem !== undefined && isMissing(problem)) return <NotFound />;
  if (problem?.status === 403 && problem.kind === 'refused') return <NotAllowed permission={problem.access ?? ''} />;
  if (data === undefined || !isThere)
    return problem ? <ProblemAlert problem={problem} onRetry={retry} /> : (waiting ?? <Loading />);
  return (
    <>
      {problem && <ProblemAlert problem={problem} onRetry={retry} />}
      {children(data)}
    </>
  );
}
