import type { Clock } from '@messaging-gateway/runtime';
import type { ConnectionStatus } from '../profile/profile-events.ts';
import { ProfileNotes, type Note, type NotesParts } from './profile-notes.ts';
import type { QrCodes } from './qr-codes.ts';

export interface ToldParts extends NotesParts {
  readonly qrCodes: QrCodes;
  readonly clock: Clock;
}

/** Tells where a connection stands, and remembers what it told. */
export class ToldStatus {
  readonly #notes: ProfileNotes;
  readonly #parts: ToldParts;
  #last: Extract<Note, { type: 'NoteStatus' | 'NoteConnected' }> | undefined;

  constructor(parts: ToldParts) {
    this.#notes = new ProfileNotes(parts);
    this.#parts = parts;
  }

  is(status: Exclude<ConnectionStatus, 'connected'>, reason: string | undefined): void {
    this.#last = { type: 'NoteStatus', status, reason, at: this.#now() };
    void this.#notes.note(this.#last);
  }

  awaitsScan(qr: string, validForMs: number): void {
    const { qrCodes, clock, profileId } = this.#parts;
    const expiresAt = new Date(clock.now() + validForMs).toISOString();
    this.#last = { type: 'NoteStatus', status: 'awaiting_scan', at: this.#now() };
    void qrCodes.show(profileId, { qr, expiresAt }, validForMs).catch(() => undefined);
    void this.#notes.note({ type: 'NoteQr', qr, expiresAt, at: this.#now() });
  }

  /** What was shown to be scanned is worth nothing any more. */
  hideQr(): Promise<void> {
    return this.#parts.qrCodes.hide(this.#parts.profileId).catch(() => undefined);
  }

  isConnected(as: { readonly phoneNumber: string; readonly pushName: string | undefined }): void {
    this.#last = { type: 'NoteConnected', ...as, at: this.#now() };
    void this.#notes.note(this.#last);
  }

  isNamed(pushName: string): void {
    void this.#notes.note({ type: 'NotePushName', pushName, at: this.#now() });
  }

  /** Resolves when it is written. */
  async isUnwanted(): Promise<void> {
    this.#last = undefined;
    await this.#notes.note({ type: 'UnwantConnection', at: this.#now() });
  }

  /** Nobody holds the profile here any more. */
  leave(): void {
    this.#notes.leave();
  }

  /**
   * Says it again when the profile's row says something else.
   *
   * @param row the status there
   * @returns whether it did
   */
  again(row: ConnectionStatus): boolean {
    const last = this.#last;
    if (last === undefined || !this.#notes.isIdle) return false;
    const isKnown = last.type === 'NoteConnected';
    if ((isKnown ? 'connected' : last.status) === row) return false;
    void this.#notes.note({ ...last, ...(isKnown && { isKnown }), at: this.#now() });
    return true;
  }

  #now(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}
