import type { DataOf, ConnectionUpdate } from '@messaging-gateway/contracts';
import type { EngineKind } from '../engine/engine.ts';

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
  /** Somebody wants the profile connected; from now on it is kept so, by the engine of the first time. */
  | { type: 'ConnectionWanted'; data: { engine?: EngineKind | undefined; at: string } }
  | { type: 'ConnectionUnwanted'; data: { at: string } }
  | { type: 'StatusChanged'; data: { status: ConnectionStatus; reason?: string | undefined; at: string } }
  | { type: 'QrShown'; data: { qr: string; expiresAt: string } }
  | { type: 'Connected'; data: { phoneNumber: string; pushName?: string | undefined; at: string } }
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
  | { type: 'NoteStatus'; status: Exclude<ConnectionStatus, 'connected'>; reason?: string | undefined; at: string }
  | { type: 'NoteQr'; qr: string; expiresAt: string; at: string }
  /** `isKnown`: said again, which is no news where it stands already. */
  | { type: 'NoteConnected'; phoneNumber: string; pushName?: string | undefined; isKnown?: boolean; at: string }
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
