import { SessionCipher } from 'libsignal';

type Session = { indexInfo: { used: number } };

/** A cipher that fails with an error instead of a report on the console. */
export class SilentSessionCipher extends SessionCipher {
  declare doDecryptWhisperMessage: (data: Buffer, session: Session) => Promise<Buffer>;

  /** The first of a contact's sessions that opens the message, the last used one first. */
  async decryptWithSessions(data: Buffer, sessions: Session[]): Promise<{ session: Session; plaintext: Buffer }> {
    let failure: unknown = new Error('There is no session with this sender.');
    for (const session of sessions) {
      try {
        const plaintext = await this.doDecryptWhisperMessage(data, session);
        session.indexInfo.used = Date.now();
        return { session, plaintext };
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }
}
