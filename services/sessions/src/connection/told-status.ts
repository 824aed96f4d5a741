import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { LinkedAs } from '../engine/engine.ts';
import { type ConnectionStatus, type ProfileCommand, profileStream } from '../profiles/profile.ts';
import type { QrCodes } from './qr-codes.ts';

export interface ToldParts extends NotesParts {
  readonly qrCodes: QrCodes;
  readonly clock: Clock;
}

type Told = Extract<Note, { type: 'NoteStatus' | 'NoteConnected' }>;

/** Tells where a connection stands, and remembers what it told. */
export class ToldStatus {
  readonly #notes: ProfileNotes;
  readonly #parts: ToldParts;
  #last: Told | undefined;

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

  /** Takes back the QR code that was shown: it is worth nothing any more. */
  hideQr(): Promise<void> {
    return this.#parts.qrCodes.hide(this.#parts.profileId).catch(() => undefined);
  }

  isConnected(as: LinkedAs): void {
    this.#last = { type: 'NoteConnected', ...as, at: this.#now() };
    void this.#notes.note(this.#last);
  }

  isNamed(pushName: string): void {
    void this.#notes.note({ type: 'NotePushName', pushName, at: this.#now() });
  }

  /** Resolves when it is written. @param isWritten that nobody wants it stands there already, unless somebody wants it again */
  async isUnwanted(isWritten: boolean): Promise<void> {
    this.#last = undefined;
    await this.#notes.note({ type: isWritten ? 'NoteDown' : 'UnwantConnection', at: this.#now() });
  }

  /** Where it stands is told to who asked for it, whatever was written meanwhile; what stands there already is no news. */
  isStill(): void {
    const last = this.#last;
    if (last !== undefined && this.#notes.isIdle) void this.#notes.note({ ...this.#known(last), at: this.#now() });
  }

  /** Ends the telling: nobody holds the profile here any more. */
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
    if ((last.type === 'NoteConnected' ? 'connected' : last.status) === row) return false;
    void this.#notes.note({ ...this.#known(last), at: this.#now() });
    return true;
  }

  #known(last: Told): Told {
    return last.type === 'NoteConnected' ? { ...last, isKnown: true } : last;
  }

  #now(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}

export interface NotesParts {
  readonly organizationId: string;
  readonly profileId: string;
  readonly store: Pick<EventStore, 'handle'>;
  readonly log: Logger;
  /** Milliseconds until the next try; doubled with each. Default 50. */
  readonly againMs?: number;
}

export type Note = Extract<
  ProfileCommand,
  { type: 'NoteStatus' | 'NoteQr' | 'NoteConnected' | 'NotePushName' | 'UnwantConnection' | 'NoteDown' }
>;

interface Waiting {
  readonly note: Note;
  readonly done: PromiseWithResolvers<void>;
}

const longestMs = 30_000;

/**
 * The subject of an unwritten note: of each only the newest is written. A link made or lost is told in any case, as
 * nothing that comes later says it.
 */
function aboutOf(note: Note): 'status' | 'name' | 'link' | 'end' {
  switch (note.type) {
    case 'NotePushName':
      return 'name';
    case 'NoteConnected':
      return 'link';
    case 'NoteStatus':
      return note.status === 'logged_out' ? 'end' : 'status';
    case 'NoteQr':
    case 'UnwantConnection':
    case 'NoteDown':
      return 'status';
  }
}

/** Whether an older note is worth nothing once the newer one is written. */
function replaces(newer: Note, older: Note): boolean {
  const [is, was] = [aboutOf(newer), aboutOf(older)];
  return is === was || (was === 'status' && is !== 'name');
}

/**
 * Writes what happens to a connection into the profile's stream, in order. A note is state: it is written until it is
 * written, whatever the database says meanwhile, or replaced by a newer one. Only a profile that is gone ends it.
 */
export class ProfileNotes {
  readonly #parts: NotesParts;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #isLeft = false;
  #wake: () => void = () => undefined;

  constructor(parts: NotesParts) {
    this.#parts = parts;
  }

  /** Everything is written. */
  get isIdle(): boolean {
    return this.#writing === undefined;
  }

  /** Resolves when it is written, replaced by a newer one, or the profile is gone. */
  note(note: Note): Promise<void> {
    const [head, ...rest] = this.#waiting;
    // The first one may be on its way.
    const kept = rest.filter((older) => !replaces(note, older.note));
    for (const older of rest) if (!kept.includes(older)) older.done.resolve();
    const waiting = { note, done: Promise.withResolvers<void>() };
    this.#waiting = [...(head === undefined ? [] : [head]), ...kept, waiting];
    this.#writing ??= this.#writeAll().finally(() => void (this.#writing = undefined));
    return waiting.done.promise;
  }

  /** Ends the notes, as nobody holds the profile here any more: each is tried once more, then the next holder speaks for the profile. */
  leave(): void {
    this.#isLeft = true;
    this.#wake();
  }

  async #writeAll(): Promise<void> {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      await this.#write(first);
      this.#waiting.shift();
      first.done.resolve();
    }
  }

  async #write(waiting: Waiting): Promise<void> {
    const { organizationId, profileId, store, log, againMs = 50 } = this.#parts;
    const { note } = waiting;
    const subject = `organization:${organizationId}`;
    const metadata = { organizationId, profileId, subject, actor: 'service:sessions' };
    for (let attempt = 0; ; attempt += 1) {
      try {
        await store.handle(profileStream, profileId, note, { metadata });
        return;
      } catch (error) {
        if (error instanceof Refused && error.code === 'NOT_FOUND')
          return log.debug('The profile takes no more notes', { profileId });
        const { message: reason } = error as Error;
        log.warn('A change of a connection is not written yet', { profileId, change: note.type, reason });
        if (this.#isLeft || this.#waiting.slice(1).some((newer) => replaces(newer.note, note))) return;
        await this.#pause(Math.min(longestMs, againMs * 2 ** attempt));
        if (this.#waiting.slice(1).some((newer) => replaces(newer.note, note))) return;
      }
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
