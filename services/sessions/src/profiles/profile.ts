import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { ConnectionUpdate, DataOf } from '@messaging-gateway/contracts';
import type { EngineKind } from '../engine/engine.ts';

type Existing = Extract<Profile, { exists: true }>;

function decide(command: ProfileCommand, state: Profile): readonly ProfileEvent[] {
  if (command.type === 'CreateProfile') return create(command, state);
  if (!state.exists) {
    if (command.type === 'DeleteProfile' && state.isDeleted) return [];
    throw new Refused('NOT_FOUND', 'There is no such profile.');
  }
  switch (command.type) {
    case 'RenameProfile':
      return command.name === state.name
        ? []
        : [{ type: 'ProfileRenamed', data: { name: command.name, at: command.at } }];
    case 'WantConnection':
      return want(command, state);
    case 'UnwantConnection':
      return noteStatus({ status: 'disconnected', at: command.at }, state);
    case 'NoteDown':
      return state.isWanted || !isUp(state.status) ? [] : noteStatus({ status: 'disconnected', at: command.at }, state);
    case 'NoteStatus':
      return noteStatus(command, state);
    case 'NoteQr':
      return [
        ...noteStatus({ status: 'awaiting_scan', at: command.at }, state),
        { type: 'QrShown', data: { qr: command.qr, expiresAt: command.expiresAt } },
      ];
    case 'NoteConnected': {
      const { phoneNumber, lid, pushName, isKnown, at } = command;
      if (isKnown === true && state.status === 'connected') return [];
      return [{ type: 'Connected', data: { phoneNumber, lid, pushName, at } }];
    }
    case 'NotePushName':
      return command.pushName === state.pushName
        ? []
        : [{ type: 'PushNameLearned', data: { pushName: command.pushName } }];
    case 'DeleteProfile':
      return [
        { type: 'ProfileDeleted', data: { profileId: state.profileId, accountId: state.accountId, at: command.at } },
      ];
  }
}

function create(
  { type: _type, ...data }: Extract<ProfileCommand, { type: 'CreateProfile' }>,
  state: Profile,
): readonly ProfileEvent[] {
  if (state.exists) return []; // the same request again
  if (state.isDeleted) throw new Refused('CONFLICT', 'The profile has been deleted.');
  return [{ type: 'ProfileCreated', data }];
}

function want(
  { engine, at }: Extract<ProfileCommand, { type: 'WantConnection' }>,
  state: Existing,
): readonly ProfileEvent[] {
  if (state.isWanted && isUp(state.status)) return [];
  return [
    ...(state.isWanted ? [] : [{ type: 'ConnectionWanted', data: { engine: state.engine ?? engine, at } } as const]),
    { type: 'StatusChanged', data: { status: 'connecting', at } },
  ];
}

/** Whether a profile is connected, or on its way. */
const isUp = (status: ConnectionStatus): boolean =>
  ['connecting', 'awaiting_scan', 'connected', 'reconnecting'].includes(status);

/** The only one that ever linked a profile before profiles kept theirs. */
export const engineOfOld: EngineKind = 'socket-engine';

type Noted = { status: Exclude<Existing['status'], 'connected'>; reason?: string | undefined; at: string };

function noteStatus({ status, reason, at }: Noted, state: Existing): readonly ProfileEvent[] {
  const events: ProfileEvent[] = [];
  const loses = status === 'logged_out' && state.isLinked;
  if (state.status !== status || state.reason !== reason)
    events.push({ type: 'StatusChanged', data: { status, reason, at } });
  if (state.status === 'connected' || loses)
    events.push({ type: 'Disconnected', data: { reason: reason ?? 'DISCONNECTED', at } });
  if (loses) events.push({ type: 'Unlinked', data: { at } });
  // What ended for good is not tried again by itself, nor is what nobody has linked.
  const isOver = status === 'logged_out' || status === 'disconnected' || (status === 'failed' && !state.isLinked);
  if (state.isWanted && isOver) events.push({ type: 'ConnectionUnwanted', data: { at } });
  return events;
}

function evolve(state: Profile, event: ProfileEvent): Profile {
  if (event.type === 'ProfileCreated') {
    const { profileId, accountId, engine, name } = event.data;
    return {
      exists: true,
      profileId,
      accountId,
      engine,
      name,
      status: 'disconnected',
      reason: undefined,
      isWanted: false,
      isLinked: false,
      phoneNumber: undefined,
      pushName: undefined,
    };
  }
  if (!state.exists) return state;
  switch (event.type) {
    case 'ProfileRenamed':
      return { ...state, name: event.data.name };
    case 'ConnectionWanted':
      return { ...state, isWanted: true, engine: state.engine ?? event.data.engine };
    case 'ConnectionUnwanted':
      return { ...state, isWanted: false };
    case 'StatusChanged':
      return { ...state, status: event.data.status, reason: event.data.reason };
    case 'Connected':
      return {
        ...state,
        status: 'connected',
        reason: undefined,
        isLinked: true,
        engine: state.engine ?? engineOfOld,
        phoneNumber: event.data.phoneNumber,
        pushName: event.data.pushName ?? state.pushName,
      };
    case 'PushNameLearned':
      return { ...state, pushName: event.data.pushName };
    case 'Unlinked':
      return { ...state, isLinked: false, phoneNumber: undefined, pushName: undefined };
    case 'ProfileDeleted':
      return { exists: false, isDeleted: true };
    case 'QrShown':
    case 'Disconnected':
      return state;
  }
}

export const profile: Decider<Profile, ProfileCommand, ProfileEvent> = {
  initial: { exists: false, isDeleted: false },
  decide,
  evolve,
};

export const profileStream: StreamType<Profile, ProfileCommand, ProfileEvent> = {
  name: 'profile',
  decider: profile,
  events: {
    ProfileCreated: { version: 1, personal: ['name'] },
    ProfileRenamed: { version: 1, personal: ['name'] },
    ConnectionWanted: { version: 1 },
    ConnectionUnwanted: { version: 1 },
    StatusChanged: { version: 1 },
    // Whoever reads a QR code can take the link.
    QrShown: { version: 1, personal: ['qr'] },
    Connected: { version: 1, personal: ['phoneNumber', 'lid', 'pushName'] },
    PushNameLearned: { version: 1, personal: ['pushName'] },
    Disconnected: { version: 1 },
    Unlinked: { version: 1 },
    ProfileDeleted: { version: 1 },
  },
  snapshotEvery: 200,
};

export type ConnectionStatus = DataOf<typeof ConnectionUpdate>['status'];

/** Where the connection of a profile stands. Times are ISO 8601. */
export type ProfileEvent =
  | {
      type: 'ProfileCreated';
      data: {
        profileId: string;
        accountId: string;
        workspaceId: string;
        name: string;
        engine?: EngineKind | undefined;
        at: string;
      };
    }
  | { type: 'ProfileRenamed'; data: { name: string; at: string } }
  /** The profile is wanted connected; from now on it is kept so, by the engine of the first time. */
  | { type: 'ConnectionWanted'; data: { engine?: EngineKind | undefined; at: string } }
  | { type: 'ConnectionUnwanted'; data: { at: string } }
  | { type: 'StatusChanged'; data: { status: ConnectionStatus; reason?: string | undefined; at: string } }
  | { type: 'QrShown'; data: { qr: string; expiresAt: string } }
  /** `lid`: `<id>@lid`; versions before wrote none. */
  | {
      type: 'Connected';
      data: { phoneNumber: string; lid?: string | undefined; pushName?: string | undefined; at: string };
    }
  /** The phone told the name that contacts see. */
  | { type: 'PushNameLearned'; data: { pushName: string } }
  /** The connection was open and is not any more. */
  | { type: 'Disconnected'; data: { reason: string; at: string } }
  /** The link is gone: the next connect asks for a new scan. */
  | { type: 'Unlinked'; data: { at: string } }
  | { type: 'ProfileDeleted'; data: { profileId: string; accountId: string; at: string } };

export type ProfileCommand =
  | {
      type: 'CreateProfile';
      profileId: string;
      accountId: string;
      workspaceId: string;
      name: string;
      engine?: EngineKind | undefined;
      at: string;
    }
  | { type: 'RenameProfile'; name: string; at: string }
  /** By which engine, unless the profile has one. */
  | { type: 'WantConnection'; engine: EngineKind; at: string }
  | { type: 'UnwantConnection'; at: string }
  /** The holder took the profile down, since it was not wanted. One that is wanted again by now comes back, and is not told down. */
  | { type: 'NoteDown'; at: string }
  | { type: 'NoteStatus'; status: Exclude<ConnectionStatus, 'connected'>; reason?: string | undefined; at: string }
  | { type: 'NoteQr'; qr: string; expiresAt: string; at: string }
  /** `isKnown`: said again, which is no news where it stands already. */
  | {
      type: 'NoteConnected';
      phoneNumber: string;
      lid?: string | undefined;
      pushName?: string | undefined;
      isKnown?: boolean;
      at: string;
    }
  | { type: 'NotePushName'; pushName: string; at: string }
  | { type: 'DeleteProfile'; at: string };

export type Profile =
  | { exists: false; isDeleted: boolean }
  | {
      exists: true;
      profileId: string;
      accountId: string;
      engine: EngineKind | undefined;
      name: string;
      status: ConnectionStatus;
      reason: string | undefined;
      isWanted: boolean;
      isLinked: boolean;
      phoneNumber: string | undefined;
      pushName: string | undefined;
    };
