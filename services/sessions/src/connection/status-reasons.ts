import type { CloseCause } from '../engine/engine.ts';
import type { ProfileCommand } from '../profiles/profile.ts';

/** Why a profile that was connected is not: this process has only just taken it up. */
export const restarted = 'RESTARTED';
/** Why a profile that nobody scanned is not: a linked one needed its place. */
export const placeNeeded = 'NO_ROOM';

type Noted = Pick<Extract<ProfileCommand, { type: 'NoteStatus' }>, 'status' | 'reason'>;

export interface Consequence extends Noted {
  /** Whether another attempt follows by itself. */
  readonly again: boolean;
}

/**
 * The consequence of a connection's end for its profile.
 *
 * @param isLinked a profile that was never scanned goes on connecting; a linked one reconnects
 */
export function consequenceOf(cause: Exclude<CloseCause, 'restart'>, isLinked: boolean): Consequence {
  const status = isLinked ? 'reconnecting' : 'connecting';
  switch (cause) {
    case 'logged-out':
      return { status: 'logged_out', reason: 'LOGGED_OUT', again: false };
    case 'not-linked':
      return { status: 'disconnected', reason: 'NOT_SCANNED', again: false };
    case 'version-refused':
      return { status: 'failed', reason: 'CLIENT_VERSION_REFUSED', again: false };
    case 'passkey-required':
      return { status: 'failed', reason: 'PASSKEY_REQUIRED', again: false };
    case 'forbidden':
      return { status: 'failed', reason: 'ACCOUNT_REFUSED', again: false };
    case 'replaced':
      return { status, reason: 'CONNECTION_REPLACED', again: true };
    case 'storage':
      return { status, reason: 'SESSION_DATA_UNAVAILABLE', again: true };
    case 'lost':
      return { status, reason: 'CONNECTION_LOST', again: true };
  }
}
