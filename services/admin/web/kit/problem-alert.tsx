import { useEffect, useState, type ReactNode } from 'react';
import type { Problem } from '../api/problem.ts';
import { useFormats, useTexts } from '../language/language.tsx';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { texts } from './texts.ts';

/** A problem in one sentence. */
export function useSentence(): (problem: Problem) => string {
  const t = useTexts(texts);
  const { dateTime } = useFormats();
  return (problem) => {
    if (problem.kind === 'unreachable') return t('unreachable');
    if (problem.kind === 'foreign') return t('foreign', { status: String(problem.status) });
    if (problem.kind === 'limit') return t('limit', { when: dateTime(problem.resetAt ?? Date.now()) });
    if (problem.kind === 'demo') return t('demo');
    return problem.message;
  };
}

/** Seconds until it may be tried again, counted down; 0: at once. */
function useSecondsLeft({ at, retryAfter = 0 }: Problem): number {
  const until = at + retryAfter * 1000;
  const [now, setNow] = useState(at);
  const left = Math.max(0, Math.ceil((until - Math.max(at, now)) / 1000));
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) return undefined;
    const timer = setInterval(() => setNow(performance.now()), 1000);
    return () => clearInterval(timer);
  }, [isOver]);
  return left;
}

interface Given {
  readonly problem: Problem;
  /** Offered where asking again may help. */
  readonly onRetry?: (() => void) | undefined;
  readonly children?: ReactNode;
}

/**
 * A problem in words: the server's, the permission that lacks, the seconds to wait, and the id of the request. A
 * demonstration that refuses a change is no error: it is said as a status.
 */
export function ProblemAlert({ problem, onRetry, children }: Given) {
  const t = useTexts(texts);
  const sentence = useSentence();
  const left = useSecondsLeft(problem);
  const isDemo = problem.kind === 'demo';
  const needs = problem.status === 403 && problem.access?.includes(':') === true ? problem.access : undefined;
  return (
    <div
      role={isDemo ? 'status' : 'alert'}
      className={`flex gap-3 rounded-lg p-3 ${isDemo ? 'bg-accent-soft text-accent' : 'bg-danger-soft text-danger'}`}
    >
      <Icon name={isDemo ? 'info' : 'alert'} />
      <div className="grid min-w-0 gap-1">
        <p className="font-medium">{sentence(problem)}</p>
        {needs !== undefined && <p>{t('needs', { permission: needs })}</p>}
        {left > 0 && problem.status === 429 && <p>{t('again', { seconds: left })}</p>}
        {children}
        {problem.requestId !== undefined && (
          <p className="font-mono text-xs">{t('requestId', { id: problem.requestId })}</p>
        )}
        {onRetry && (
          <div className="mt-1">
            <Button icon="refresh" onClick={onRetry}>
              {t('tryAgain')}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
