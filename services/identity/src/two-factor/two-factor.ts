import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { Client } from '../client.ts';
import { stepOf } from './codes.ts';

/** A code as somebody gave it. */
export interface GivenCode {
  readonly code: string;
  /** Fingerprint that the code would have were it a backup code. */
  readonly fingerprint: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The request: when it comes again, it is answered as before. */
  readonly requestedBy: string;
  /** Whether it was right a moment ago; when it no longer is, nothing is decided (`Overtaken`). Absent: not known. */
  readonly foreseen?: boolean;
  readonly client: Client;
}

/** Purpose for which a code was given. */
type CodePurpose = 'login' | 'enable' | 'disable' | 'backup-codes';

/** A period of the generator, or a backup code, that was used up. */
interface UsedCode {
  readonly step?: number;
  readonly fingerprint?: string;
}

/** The request that led to an event; absent in what was written before it was kept. */
interface Requested {
  readonly requestedBy?: string;
}

export type TwoFactorEvent =
  | { type: 'TwoFactorOffered'; data: { userId: string; secret: string } }
  | {
      type: 'TwoFactorEnabled';
      data: {
        userId: string;
        step: number;
        fingerprints: readonly string[];
        remaining: number;
        client: Client;
      } & Requested;
    }
  | {
      type: 'TwoFactorCodeUsed';
      data: { userId: string; remaining: number; requestedBy: string } & UsedCode;
    }
  | { type: 'TwoFactorCodeRefused'; data: { userId: string; purpose: CodePurpose; at: number; client: Client } }
  | {
      type: 'BackupCodesRenewed';
      data: { userId: string; fingerprints: readonly string[]; remaining: number; client: Client } & UsedCode &
        Requested;
    }
  | { type: 'TwoFactorDisabled'; data: { userId: string; client: Client } & Requested };

export type TwoFactorCommand =
  | { type: 'Offer'; userId: string; secret: string }
  | { type: 'Enable'; given: GivenCode; fingerprints: readonly string[] }
  | { type: 'LogIn'; given: GivenCode }
  | { type: 'RenewBackupCodes'; given: GivenCode; fingerprints: readonly string[] }
  | { type: 'Disable'; given: GivenCode };

interface Failures {
  /** When wrong codes were given, oldest first; the last ten. Milliseconds since 1970. */
  readonly failures: readonly number[];
}
interface Offered {
  readonly userId: string;
  readonly secret: string;
}
export type TwoFactor = Failures &
  (
    | { readonly status: 'off'; readonly lastRequest?: string }
    | ({ readonly status: 'offered' } & Offered)
    | ({
        readonly status: 'on';
        /** The latest period whose code was used: older ones are no longer taken. */
        readonly step: number;
        readonly fingerprints: readonly string[];
        readonly lastRequest?: string;
      } & Offered)
  );
type On = Extract<TwoFactor, { status: 'on' }>;

/** So many wrong codes in this time, and none is looked at any more until the oldest of them is older. */
const wrongCodes = { most: 10, withinMs: 900_000 } as const;

/** Another request with the same code, or another change, was faster than what was foreseen. */
export class Overtaken extends Error {}

function decide(command: TwoFactorCommand, state: TwoFactor): readonly TwoFactorEvent[] {
  if (command.type === 'Offer') {
    if (state.status === 'on') throw new Refused('CONFLICT', 'Two-factor login is on: disable it first.');
    return [{ type: 'TwoFactorOffered', data: { userId: command.userId, secret: command.secret } }];
  }
  const events = look(command, state);
  const { foreseen } = command.given;
  if (foreseen !== undefined && foreseen !== isRight(events)) throw new Overtaken('The code was used meanwhile.');
  return events;
}

/** Whether the code of a command was right, by what came of it. */
export const isRight = (events: readonly TwoFactorEvent[]): boolean =>
  events.every((event) => event.type !== 'TwoFactorCodeRefused');

function look(command: Exclude<TwoFactorCommand, { type: 'Offer' }>, state: TwoFactor): readonly TwoFactorEvent[] {
  const { given } = command;
  if (state.status !== 'offered' && state.lastRequest === given.requestedBy) return again(command, state);
  refuseTooMany(state.failures, given.at);
  if (command.type === 'Enable') return enable(command, state);
  if (state.status !== 'on') throw new Refused('CONFLICT', 'Two-factor login is off.');
  const { userId } = state;
  const used = usedCode(state, given);
  if (used === undefined) return [refusal(userId, purposes[command.type], given)];
  const { client, requestedBy } = given;
  switch (command.type) {
    case 'LogIn': {
      const remaining = left(state, used).length;
      return [{ type: 'TwoFactorCodeUsed', data: { userId, ...used, remaining, requestedBy } }];
    }
    case 'RenewBackupCodes': {
      const renewed = listed(command.fingerprints);
      return [{ type: 'BackupCodesRenewed', data: { userId, ...used, ...renewed, client, requestedBy } }];
    }
    case 'Disable':
      return [{ type: 'TwoFactorDisabled', data: { userId, client, requestedBy } }];
  }
}

/** Events of a repeated request, whose code is used up. Nobody has seen the backup codes that it made, so others take their place. */
function again(command: Exclude<TwoFactorCommand, { type: 'Offer' }>, state: TwoFactor): readonly TwoFactorEvent[] {
  if (state.status !== 'on' || !('fingerprints' in command)) return [];
  const { client, requestedBy } = command.given;
  const data = { userId: state.userId, ...listed(command.fingerprints), client, requestedBy };
  return [{ type: 'BackupCodesRenewed', data }];
}

const purposes = { LogIn: 'login', RenewBackupCodes: 'backup-codes', Disable: 'disable' } as const;

function enable(
  { given, fingerprints }: Extract<TwoFactorCommand, { type: 'Enable' }>,
  state: TwoFactor,
): readonly TwoFactorEvent[] {
  if (state.status === 'on') throw new Refused('CONFLICT', 'Two-factor login is on already.');
  if (state.status === 'off') throw new Refused('CONFLICT', 'Begin with POST /auth/2fa/setup.');
  const { userId, secret } = state;
  const step = stepOf(secret, given.code, given.at);
  if (step === undefined) return [refusal(userId, 'enable', given)];
  const { client, requestedBy } = given;
  return [{ type: 'TwoFactorEnabled', data: { userId, step, ...listed(fingerprints), client, requestedBy } }];
}

function refuseTooMany(failures: readonly number[], at: number): void {
  const recent = failures.filter((failedAt) => failedAt > at - wrongCodes.withinMs);
  const [oldest] = recent;
  if (oldest === undefined || recent.length < wrongCodes.most) return;
  const seconds = Math.max(1, Math.ceil((oldest + wrongCodes.withinMs - at) / 1000));
  throw new Refused('RATE_LIMITED', 'Too many wrong codes: try again later.', undefined, {
    'Retry-After': String(seconds),
  });
}

/** Each code counts once: of the generator only those of later periods than the last one. */
function usedCode(state: On, { code, fingerprint, at }: GivenCode): UsedCode | undefined {
  const step = stepOf(state.secret, code, at);
  if (step !== undefined) return step > state.step ? { step } : undefined;
  return state.fingerprints.includes(fingerprint) ? { fingerprint } : undefined;
}

const left = (state: On, used: UsedCode): readonly string[] =>
  state.fingerprints.filter((one) => one !== used.fingerprint);

const listed = (fingerprints: readonly string[]) => ({ fingerprints, remaining: fingerprints.length });

const refusal = (userId: string, purpose: CodePurpose, { at, client }: GivenCode): TwoFactorEvent => ({
  type: 'TwoFactorCodeRefused',
  data: { userId, purpose, at, client },
});

function evolve(state: TwoFactor, event: TwoFactorEvent): TwoFactor {
  const { failures } = state;
  switch (event.type) {
    case 'TwoFactorOffered':
      return { status: 'offered', failures, ...event.data };
    case 'TwoFactorEnabled': {
      if (state.status !== 'offered') return state;
      const { step, fingerprints, requestedBy } = event.data;
      return { ...state, status: 'on', step, fingerprints: keptOf(fingerprints), ...lastOf(requestedBy) };
    }
    case 'TwoFactorCodeUsed':
      return state.status === 'on' ? afterUse(state, event.data) : state;
    case 'BackupCodesRenewed':
      if (state.status !== 'on') return state;
      return { ...afterUse(state, event.data), fingerprints: keptOf(event.data.fingerprints) };
    case 'TwoFactorCodeRefused':
      return { ...state, failures: [...failures, event.data.at].slice(-wrongCodes.most) };
    case 'TwoFactorDisabled':
      return { status: 'off', failures, ...lastOf(event.data.requestedBy) };
  }
}

const afterUse = (state: On, used: UsedCode & Requested): On => ({
  ...state,
  ...(used.step !== undefined && { step: used.step }),
  fingerprints: left(state, used),
  ...lastOf(used.requestedBy),
});

const lastOf = (requestedBy: string | undefined) => (requestedBy === undefined ? {} : { lastRequest: requestedBy });

/** Fingerprints that are kept; none of a user who was erased. */
const keptOf = (fingerprints: readonly string[]): readonly string[] =>
  Array.isArray(fingerprints) ? fingerprints : [];

/** The second factor of a user: codes of an authenticator app (RFC 6238), and backup codes. */
export const twoFactor: Decider<TwoFactor, TwoFactorCommand, TwoFactorEvent> = {
  initial: { status: 'off', failures: [] },
  decide,
  evolve,
};

export const twoFactorStream: StreamType<TwoFactor, TwoFactorCommand, TwoFactorEvent> = {
  name: 'two-factor',
  decider: twoFactor,
  events: {
    TwoFactorOffered: { version: 1, personal: ['secret'] },
    TwoFactorEnabled: { version: 1, personal: ['fingerprints', 'client'] },
    TwoFactorCodeUsed: { version: 1, personal: ['fingerprint'] },
    TwoFactorCodeRefused: { version: 1, personal: ['client'] },
    BackupCodesRenewed: { version: 1, personal: ['fingerprint', 'fingerprints', 'client'] },
    TwoFactorDisabled: { version: 1, personal: ['client'] },
  },
  snapshotEvery: 100,
};
