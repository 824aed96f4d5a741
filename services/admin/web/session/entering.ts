import { useNavigate, useSearch } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import type { AnswerOf } from '../api/operations.ts';
import { placeAfter } from './after.ts';
import { tellSignedIn } from './session.ts';

type Entered = AnswerOf<'VerifyTwoFactor'>;

/** Where `next` says to go after signing in. */
export function useNext(): string | undefined {
  const { next }: { readonly next?: unknown } = useSearch({ strict: false });
  return typeof next === 'string' ? next : undefined;
}

/** Goes on with a session that has begun: to where somebody wanted to go, or first to a new password. */
export function useEntering(): (entered: Entered) => void {
  const navigate = useNavigate();
  const client = useQueryClient();
  const next = useNext();
  return ({ user, mustChangePassword }) => {
    tellSignedIn();
    client.setQueryData(['GetMe', {}], user);
    if (mustChangePassword === true) {
      void navigate({ to: '/change-password', search: { next } });
      return;
    }
    const [path = '/', search] = placeAfter(next, location.origin).split('?');
    void navigate({ to: path, search: Object.fromEntries(new URLSearchParams(search)) });
  };
}
