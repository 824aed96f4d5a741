import { isDeepStrictEqual } from 'node:util';
import type { DataOf, ProfileHealth } from '@messaging-gateway/contracts';
import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';

export type Restriction = NonNullable<DataOf<typeof ProfileHealth>['restriction']>;
export type NewChats = NonNullable<DataOf<typeof ProfileHealth>['newChats']>;

type Named = { readonly profileId: string };

/** Times are ISO 8601. */
export type HealthEvent =
  | { type: 'RestrictionSet'; data: Named & { readonly restriction: Restriction } }
  | { type: 'RestrictionEnded'; data: Named & { readonly reason: 'expired' | 'lifted'; readonly at: string } }
  | { type: 'NewChatsReported'; data: Named & { readonly newChats: NewChats } }
  /** The network refused a message because of a restriction. */
  | { type: 'SendRefused'; data: Named & { readonly day: string; readonly at: string } };

/** Times in milliseconds since 1970. */
export type HealthCommand = Named & { readonly at: number } & (
    | {
        readonly type: 'Restrict';
        readonly restrictionType: string;
        /** Absent: the network named no end. */
        readonly until?: number | undefined;
        /** The network refused a message on this day of the daily limit. Absent: the network reported the restriction itself. */
        readonly refusedOn?: string | undefined;
      }
    | { readonly type: 'Lift' }
    | { readonly type: 'Expire' }
    | { readonly type: 'ReportNewChats'; readonly newChats: NewChats }
  );

export interface Health {
  readonly restriction?: Restriction;
  readonly newChats?: NewChats;
}

/** Type of a restriction that the network did not name. */
export const unnamedRestriction = 'DEFAULT';
/** Duration of a restriction whose end the network did not report, milliseconds. */
const defaultDurationMs = 24 * 3_600_000;

const iso = (time: number): string => new Date(time).toISOString();
const endOf = ({ until }: Restriction): number => (until === null ? Infinity : Date.parse(until));

/** The restriction if it is in force at `now`, milliseconds since 1970. */
export const activeAt = (restriction: Restriction | undefined, now: number): Restriction | undefined =>
  restriction !== undefined && endOf(restriction) > now ? restriction : undefined;

function decide(command: HealthCommand, state: Health): readonly HealthEvent[] {
  const { profileId, at } = command;
  switch (command.type) {
    case 'Restrict': {
      const { refusedOn } = command;
      const refused: readonly HealthEvent[] =
        refusedOn === undefined ? [] : [{ type: 'SendRefused', data: { profileId, day: refusedOn, at: iso(at) } }];
      const restriction = restrictionOf(command, activeAt(state.restriction, at));
      if (isDeepStrictEqual(restriction, state.restriction)) return refused;
      return [{ type: 'RestrictionSet', data: { profileId, restriction } }, ...refused];
    }
    case 'Lift':
      return state.restriction === undefined
        ? []
        : [{ type: 'RestrictionEnded', data: { profileId, reason: 'lifted', at: iso(at) } }];
    case 'Expire':
      return state.restriction === undefined || endOf(state.restriction) > at
        ? []
        : [{ type: 'RestrictionEnded', data: { profileId, reason: 'expired', at: iso(at) } }];
    case 'ReportNewChats':
      return isDeepStrictEqual(command.newChats, state.newChats)
        ? []
        : [{ type: 'NewChatsReported', data: { profileId, newChats: command.newChats } }];
  }
}

/** A refusal without a reported end does not change a restriction that is in force. */
function restrictionOf(
  { restrictionType, until, at }: Extract<HealthCommand, { type: 'Restrict' }>,
  current: Restriction | undefined,
): Restriction {
  if (current !== undefined && until === undefined) return current;
  return {
    type: restrictionType,
    since: current?.since ?? iso(at),
    until: iso(until ?? at + defaultDurationMs),
  };
}

function evolve(state: Health, event: HealthEvent): Health {
  switch (event.type) {
    case 'RestrictionSet':
      return { ...state, restriction: event.data.restriction };
    case 'RestrictionEnded': {
      const { restriction: _, ...others } = state;
      return others;
    }
    case 'NewChatsReported':
      return { ...state, newChats: event.data.newChats };
    case 'SendRefused':
      return state;
  }
}

/** What the network allows the account of a profile. */
export const health: Decider<Health, HealthCommand, HealthEvent> = { initial: {}, decide, evolve };

/** `account-health-<profileId>`, separate from the stream of the profile, which processes of earlier versions read too. */
export const healthStream: StreamType<Health, HealthCommand, HealthEvent> = {
  name: 'account-health',
  decider: health,
  events: {
    RestrictionSet: { version: 1 },
    RestrictionEnded: { version: 1 },
    NewChatsReported: { version: 1 },
    SendRefused: { version: 1 },
  },
  snapshotEvery: 200,
};
