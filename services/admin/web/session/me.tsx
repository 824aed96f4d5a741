import { createContext, use } from 'react';
import type { CurrentUser, Permission } from '@messaging-gateway/contracts';
import type { Static } from 'typebox';

export type Me = Static<typeof CurrentUser>;

/** How `GetMe` is read: what it says holds until the session ends. */
export const whoIsSignedIn = { staleTime: Infinity };

/** The person who is signed in; pages below the shell have it. */
export const SignedInAs = createContext<Me | undefined>(undefined);

/** @throws Error outside of the shell */
export function useMe(): Me {
  const me = use(SignedInAs);
  if (me === undefined) throw new Error('Nobody is signed in here.');
  return me;
}

/** Whether who is signed in may do something: what a role may not do has no button. `may('contact:create')` */
export function useMay(): (permission: Permission) => boolean {
  const { permissions } = useMe();
  return (permission) => permissions.includes(permission);
}
