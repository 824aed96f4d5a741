import type { QueryClient } from '@tanstack/react-query';
import type { Permission } from '@messaging-gateway/contracts';
import { askAhead, useAsk } from '../api/asking.ts';
import type { OperationName, RequestOf } from '../api/operations.ts';
import { useMay } from './me.tsx';

/** What is read by one operation, and what a role needs for that. */
export interface ReadingOf<N extends OperationName> {
  readonly name: N;
  readonly given: RequestOf<N>;
  readonly permissions: readonly Permission[];
}

/** `reading('ListProfiles', {}, 'profile:read')`; nothing is asked yet. */
export const reading = <N extends OperationName>(
  name: N,
  given: RequestOf<N>,
  ...permissions: readonly Permission[]
): ReadingOf<N> => ({ name, given, permissions });

/** Reads it where the role may. */
export function useReading<N extends OperationName>({ name, given, permissions }: ReadingOf<N>) {
  return useAsk(name, given, { when: permissions.every(useMay()) });
}

/** Asks for what a page shows first, before it is drawn. */
export type ReadFirst = (client: QueryClient, may: (permission: Permission) => boolean) => void;

/** What is known already is left to who shows it, and reads it again when it is old. */
export const unlessKnown = { staleTime: Infinity };

/** Asks for all of it that the role may read. */
export const readAhead =
  (readings: () => readonly ReadingOf<OperationName>[]): ReadFirst =>
  (client, may) => {
    for (const { name, given, permissions } of readings())
      if (permissions.every(may)) void askAhead(client, name, given, unlessKnown);
  };
