import '@messaging-gateway/runtime/silent-signal-library';
import { ProtocolAddress, SessionBuilder, SessionCipher, SessionRecord, type SignalStorage } from 'libsignal';
import { typed, type KeyBundle } from './bundle.ts';
import type { PrimaryKeys } from './primary-keys.ts';

/** A device as the other side of a session: its account's LID and its number. */
export type Peer = { lid: string; device: number };
type EncryptionType = 'pkmsg' | 'msg';
export type Encrypted = { type: EncryptionType; ciphertext: Buffer };

/** The Signal sessions of one simulated phone, kept in memory. */
export class Sessions {
  private readonly keys: PrimaryKeys;
  private readonly owner: string;
  private readonly records = new Map<string, SessionRecord>();
  private readonly storage: SignalStorage;

  /** @param owner tells the sessions of several phones in one process apart (the library queues by address) */
  constructor(keys: PrimaryKeys, owner: string) {
    this.keys = keys;
    this.owner = owner;
    this.storage = this.storageOnRecords();
  }

  hasOpen(peer: Peer): boolean {
    return this.record(this.address(peer).toString()).haveOpenSession();
  }

  async open(peer: Peer, bundle: KeyBundle): Promise<void> {
    // The library's types want a one-time key; the library itself does without.
    const session = { ...bundle, identityKey: typed(bundle.identityKey) } as Parameters<
      SessionBuilder['initOutgoing']
    >[0];
    session.signedPreKey = { ...bundle.signedPreKey, publicKey: typed(bundle.signedPreKey.publicKey) };
    if (bundle.preKey) session.preKey = { ...bundle.preKey, publicKey: typed(bundle.preKey.publicKey) };
    await new SessionBuilder(this.storage, this.address(peer)).initOutgoing(session);
  }

  async encrypt(peer: Peer, plaintext: Uint8Array): Promise<Encrypted> {
    const cipher = new SessionCipher(this.storage, this.address(peer));
    const { type, body } = await cipher.encrypt(Buffer.from(plaintext));
    return { type: type === 3 ? 'pkmsg' : 'msg', ciphertext: Buffer.from(body, 'binary') };
  }

  /** @throws when no session opens the message */
  async decrypt(peer: Peer, { type, ciphertext }: Encrypted): Promise<Buffer> {
    const cipher = new SessionCipher(this.storage, this.address(peer));
    return type === 'msg' ? cipher.decryptWhisperMessage(ciphertext) : cipher.decryptPreKeyWhisperMessage(ciphertext);
  }

  private address(peer: Peer): ProtocolAddress {
    return new ProtocolAddress(`${this.owner}-${peer.lid}`, peer.device);
  }

  private record(id: string): SessionRecord {
    let record = this.records.get(id);
    if (record === undefined) this.records.set(id, (record = new SessionRecord()));
    return record;
  }

  private storageOnRecords(): SignalStorage {
    return {
      loadSession: async (id) => this.record(id),
      storeSession: async () => {}, // records are changed in place
      isTrustedIdentity: () => true,
      loadPreKey: async (id) => this.keys.preKeyPair(Number(id)),
      removePreKey: (id) => this.keys.usePreKey(id),
      loadSignedPreKey: () => this.keys.signedPreKeyPair(),
      getOurRegistrationId: () => this.keys.registrationId,
      getOurIdentity: () => this.keys.identityPair(),
    };
  }
}
