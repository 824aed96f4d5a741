import type { Sql } from '@messaging-gateway/service';
import type { FakeSessions, Handed } from './fake-sessions.ts';
import { eventually } from './eventually.ts';
import { textOf } from './text-of.ts';

type Profile = { readonly profileId: string };

/** Views of a test: messages that reached the network for a profile, and those that still wait for it. */
export interface Watching {
  readonly handedTo: (profile: Profile) => Handed[];
  readonly textsOf: (profile: Profile) => string[];
  /** Texts as the contact sees them, in order: the network drops a repeated id. */
  readonly shownTo: (profile: Profile) => string[];
  /** Milliseconds between one hand-over of a profile and the next. */
  readonly gapsOf: (profile: Profile) => number[];
  readonly queueOf: (profile: Profile) => Promise<{ readonly attempts: number }[]>;
  /** Resolves when nothing is to be sent or settled any more. */
  readonly isDone: (profile: Profile, patience?: number) => Promise<void>;
}

/** @param setup asked at each look, because a test makes it anew */
export function watching(setup: () => { readonly network: FakeSessions; readonly sql: Sql }): Watching {
  const handedTo: Watching['handedTo'] = ({ profileId }) =>
    setup().network.handed.filter((handed) => handed.profileId === profileId);
  const queueOf: Watching['queueOf'] = ({ profileId }) =>
    setup().sql.query('SELECT * FROM queue WHERE profile_id = $1', [profileId]);
  return {
    handedTo,
    textsOf: (profile) => handedTo(profile).map(({ content }) => textOf(content)),
    shownTo: (profile) => {
      const texts = handedTo(profile).map(({ networkMessageId, content }) => [networkMessageId, textOf(content)]);
      return [...new Map(texts as [string, string][]).values()];
    },
    gapsOf: ({ profileId }) => {
      const { handed, times } = setup().network;
      const own = times.filter((_, index) => handed[index]?.profileId === profileId);
      return own.slice(1).map((time, index) => time - (own[index] ?? 0));
    },
    queueOf,
    isDone: (profile, patience) => eventually(async () => (await queueOf(profile)).length === 0, patience),
  };
}
