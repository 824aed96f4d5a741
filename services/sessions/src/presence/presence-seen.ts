import { PresenceUpdate, type DataOf } from '@messaging-gateway/contracts';
import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { publication, tells } from '@messaging-gateway/service';

/** Presence as it is told. */
export type SeenPresence = DataOf<typeof PresenceUpdate>;

type PresenceSeenEvent = { type: 'PresenceSeen'; data: SeenPresence };
interface TellPresence {
  readonly type: 'TellPresence';
  readonly seen: SeenPresence;
}

const presenceSeen: Decider<{ readonly isTold: boolean }, TellPresence, PresenceSeenEvent> = {
  initial: { isTold: false },
  decide: ({ seen }, { isTold }) => (isTold ? [] : [{ type: 'PresenceSeen', data: seen }]),
  evolve: () => ({ isTold: true }),
};

/** One stream each: nothing is decided by what was seen before. */
export const presenceSeenStream: StreamType<{ readonly isTold: boolean }, TellPresence, PresenceSeenEvent> = {
  name: 'presence-seen',
  decider: presenceSeen,
  ends: true,
  events: { PresenceSeen: { version: 1, personal: ['from', 'author'] } },
};

export const presenceTells = tells(presenceSeenStream, {
  PresenceSeen: ({ data }) => [publication(PresenceUpdate, data)],
});
