import type { WASocket } from '@whiskeysockets/baileys';
import type { Clock } from '@messaging-gateway/runtime';
import type { SessionData } from '../../../session-data/session-data-store.ts';
import type { FactKeeper } from '../../engine.ts';
import type { SignalState } from '../signal-state.ts';
import { readGroup, readGroups } from './group-queries.ts';
import { KnownGroups } from './known-groups.ts';

interface SessionGroupsParts {
  readonly data: SessionData;
  readonly facts: FactKeeper;
  readonly clock: Clock;
}

/** The groups of one session, asked for over whatever connection is open then. */
export function knownGroups(
  { data, facts, clock }: SessionGroupsParts,
  state: SignalState,
  socket: () => WASocket,
): KnownGroups {
  return new KnownGroups({
    profileId: data.profileId,
    state,
    now: () => clock.now(),
    read: async (id) => readGroup(socket(), id),
    readAll: async () => readGroups(socket()),
    keep: async (told) => {
      if (told.length === 0) return;
      const keeping = facts.keep(told);
      await data.commit(keeping.changes());
      keeping.kept();
    },
  });
}
