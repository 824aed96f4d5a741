import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';

/** The names of a person: the phone as far as it may be shown, and keyed digests of phone and LID. */
export interface Names {
  /** Digits. */
  readonly phone?: string | undefined;
  readonly phoneDigest?: string | undefined;
  readonly lidDigest?: string | undefined;
}

/** An entry of the list. At least one digest is there. */
interface Listed extends Names {
  readonly reason?: string | undefined;
  /** Since when, ISO 8601. */
  readonly since: string;
}

/** The word of the person that is answered. */
export type Answered = 'optOut' | 'resume';

/** A word that the person has written. */
interface Said {
  /** When, ISO 8601. */
  readonly at: string;
  /** A message that confirms it, unless one of its kind went in the last 24 hours. */
  readonly confirmation?: { readonly messageId: string; readonly now: number } | undefined;
}

export type SuppressionCommand =
  /** Put on the list; who is on it keeps the reason, unless `replaces`. */
  | {
      type: 'Suppress';
      suppressionId: string;
      names: Names;
      /** ISO 8601. */
      at: string;
      reason?: string | undefined;
      replaces?: boolean;
      said?: Said;
    }
  /** Another name of somebody on the list became known. */
  | { type: 'Learn'; suppressionId: string; names: Names }
  /** The phone is shown no more; the digests stay. */
  | { type: 'Forget'; suppressionId: string }
  | { type: 'Lift'; suppressionId: string; said?: Said };

export type SuppressionEvent =
  | {
      type: 'Suppressed';
      data: Listed & {
        readonly suppressionId: string;
        readonly change: 'listed' | 'changed';
        /** When the person wrote the word. */
        readonly saidAt?: string | undefined;
      };
    }
  | {
      type: 'SuppressionLifted';
      data: { readonly suppressionId: string; readonly saidAt?: string | undefined };
    }
  | {
      type: 'OptOutConfirmed';
      data: {
        readonly suppressionId: string;
        readonly answered: Answered;
        readonly messageId: string;
        /** Milliseconds since 1970. */
        readonly now: number;
      };
    };

export interface Suppression {
  /** Absent: not on the list. */
  readonly listed?: Listed | undefined;
  /** When the last word was written that counted. */
  readonly saidAt?: string | undefined;
  readonly confirmed: { readonly [A in Answered]?: { readonly messageId: string; readonly now: number } };
}

const dayMs = 86_400_000;

function decide(command: SuppressionCommand, state: Suppression): readonly SuppressionEvent[] {
  const { suppressionId } = command;
  const { listed } = state;
  switch (command.type) {
    case 'Suppress': {
      const { names, at, reason, replaces = false, said } = command;
      if (isOutdated(said, state)) return [];
      const kept = listed !== undefined && !(replaces && reason !== undefined);
      const next = { ...joined(names, listed), reason: kept ? listed.reason : reason, since: listed?.since ?? at };
      return [...saved(suppressionId, state, next, said?.at), ...confirmed(suppressionId, state, 'optOut', said)];
    }
    case 'Learn': {
      if (listed === undefined) return [];
      // One that was shown and no longer is was forgotten.
      const phone = listed.phoneDigest === undefined ? command.names.phone : listed.phone;
      return saved(suppressionId, state, { ...listed, ...joined(command.names, listed), phone });
    }
    case 'Forget':
      return listed === undefined ? [] : saved(suppressionId, state, { ...listed, phone: undefined });
    case 'Lift': {
      const { said } = command;
      if (listed === undefined || isOutdated(said, state)) return [];
      return [
        { type: 'SuppressionLifted', data: { suppressionId, saidAt: said?.at ?? state.saidAt } },
        ...confirmed(suppressionId, state, 'resume', said),
      ];
    }
  }
}

/** A later word has come before this one. */
const isOutdated = (said: Said | undefined, { saidAt }: Suppression): boolean =>
  said !== undefined && saidAt !== undefined && said.at < saidAt;

const joined = (names: Names, listed: Names = {}): Names => ({
  phone: names.phone ?? listed.phone,
  phoneDigest: listed.phoneDigest ?? names.phoneDigest,
  lidDigest: listed.lidDigest ?? names.lidDigest,
});

function saved(
  suppressionId: string,
  { listed, saidAt: before }: Suppression,
  next: Listed,
  saidAt = before,
): readonly SuppressionEvent[] {
  if (listed !== undefined && saidAt === before && formOf(listed) === formOf(next)) return [];
  const change = listed === undefined ? 'listed' : 'changed';
  return [{ type: 'Suppressed', data: { suppressionId, ...next, change, saidAt } }];
}

function confirmed(
  suppressionId: string,
  state: Suppression,
  answered: Answered,
  said: Said | undefined,
): readonly SuppressionEvent[] {
  if (said?.confirmation === undefined) return [];
  const { messageId, now } = said.confirmation;
  const last = state.confirmed[answered];
  if (last !== undefined && now - last.now < dayMs) return [];
  return [{ type: 'OptOutConfirmed', data: { suppressionId, answered, messageId, now } }];
}

/** Equal for equal entries. */
const formOf = ({ phone, phoneDigest, lidDigest, reason }: Listed): string =>
  JSON.stringify([phone, phoneDigest, lidDigest, reason]);

function evolve(state: Suppression, event: SuppressionEvent): Suppression {
  switch (event.type) {
    case 'Suppressed': {
      const { phone, phoneDigest, lidDigest, reason, since, saidAt } = event.data;
      return { ...state, listed: { phone, phoneDigest, lidDigest, reason, since }, saidAt };
    }
    case 'SuppressionLifted':
      return { ...state, listed: undefined, saidAt: event.data.saidAt };
    case 'OptOutConfirmed': {
      const { answered, messageId, now } = event.data;
      return { ...state, confirmed: { ...state.confirmed, [answered]: { messageId, now } } };
    }
  }
}

/** Whether one person is on the list of an organization. */
export const suppression: Decider<Suppression, SuppressionCommand, SuppressionEvent> = {
  initial: { confirmed: {} },
  decide,
  evolve,
};

export const suppressionStream: StreamType<Suppression, SuppressionCommand, SuppressionEvent> = {
  name: 'suppression',
  decider: suppression,
  events: {
    Suppressed: { version: 1, personal: ['phone', 'phoneDigest', 'lidDigest', 'reason'] },
    SuppressionLifted: { version: 1 },
    OptOutConfirmed: { version: 1 },
  },
};
