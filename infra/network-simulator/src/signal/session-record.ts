import { SessionRecord } from 'libsignal';

type Session = { indexInfo: { closed: number } };

const CLOSED_SESSIONS_KEPT = 40;
const OPEN = -1;

/**
 * A session record that keeps its secrets to itself.
 * The library's own prints sessions with their private keys to the console whenever one takes another's place;
 * this one overrides those steps and nothing else.
 */
export class SilentSessionRecord extends SessionRecord {
  declare sessions: Record<string, Session>;
  /** Set from the moment a sender turns out to use a session unknown here, until the library asks which one it replaces. */
  private replacing = false;

  getSession(baseKey: Buffer): Session | undefined {
    const session = this.sessions[baseKey.toString('base64')];
    if (session === undefined) this.replacing = true;
    return session;
  }

  /** The open session; none while one is being replaced: the library would close it aloud, and `setSession` closes it anyway. */
  getOpenSession(): Session | undefined {
    if (!this.replacing) return this.openSessions()[0]?.[1];
    this.replacing = false;
    return undefined;
  }

  closeSession(session: Session): void {
    session.indexInfo.closed = Date.now();
  }

  setSession(session: Session & { indexInfo: { baseKey: Buffer } }): void {
    for (const [, open] of this.openSessions()) this.closeSession(open);
    this.sessions[session.indexInfo.baseKey.toString('base64')] = session;
  }

  removeOldSessions(): void {
    const closed = Object.entries(this.sessions).filter(([, session]) => session.indexInfo.closed !== OPEN);
    if (closed.length <= CLOSED_SESSIONS_KEPT) return;
    closed.sort(([, one], [, other]) => one.indexInfo.closed - other.indexInfo.closed);
    for (const [key] of closed.slice(0, closed.length - CLOSED_SESSIONS_KEPT)) delete this.sessions[key];
  }

  private openSessions(): [string, Session][] {
    return Object.entries(this.sessions).filter(([, session]) => session.indexInfo.closed === OPEN);
  }
}
