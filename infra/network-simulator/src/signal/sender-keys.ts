import type { proto } from '@whiskeysockets/baileys';
import {
  GroupCipher,
  GroupSessionBuilder,
  SenderKeyDistributionMessage,
  SenderKeyName,
  SenderKeyRecord,
} from '@whiskeysockets/baileys/lib/Signal/Group/index.js';
import type { Peer } from './sessions.ts';

/** The keys by which one simulated phone writes in groups, and those of others that it was told. */
export class SenderKeys {
  private readonly own: Peer;
  private readonly records = new Map<string, SenderKeyRecord>();
  /** By group, the devices that were told the own key. */
  private readonly told = new Map<string, Set<string>>();
  private readonly storage = {
    loadSenderKey: async (name: SenderKeyName) => this.record(name.toString()),
    storeSenderKey: async () => {}, // records are changed in place
  };
  private order: Promise<unknown> = Promise.resolve();

  /** @param lid of the phone's owner */
  constructor(lid: string) {
    this.own = { lid, device: 0 };
  }

  /** Reads one message after the other: a later one may need the key that an earlier one brings. */
  inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.order.then(work);
    this.order = mine.catch(() => {});
    return mine;
  }

  async encrypt(group: string, plaintext: Uint8Array): Promise<Buffer> {
    const name = nameOf(group, this.own);
    await new GroupSessionBuilder(this.storage).create(name);
    return Buffer.from(await new GroupCipher(this.storage, name).encrypt(plaintext));
  }

  /** @throws when the author's key was never told */
  async decrypt(group: string, author: Peer, ciphertext: Uint8Array): Promise<Buffer> {
    return Buffer.from(await new GroupCipher(this.storage, nameOf(group, author)).decrypt(ciphertext));
  }

  /** The own key, for somebody who is to read from now on. */
  async distribution(group: string): Promise<proto.Message.ISenderKeyDistributionMessage> {
    const told = await new GroupSessionBuilder(this.storage).create(nameOf(group, this.own));
    return { groupId: group, axolotlSenderKeyDistributionMessage: told.serialize() };
  }

  async learn(author: Peer, distribution: proto.Message.ISenderKeyDistributionMessage): Promise<void> {
    const { groupId, axolotlSenderKeyDistributionMessage: bytes } = distribution;
    if (!groupId || !bytes) return;
    const message = new SenderKeyDistributionMessage(null, null, null, null, bytes);
    await new GroupSessionBuilder(this.storage).process(nameOf(groupId, author), message);
  }

  /** @returns whether this device is told the own key for the first time */
  tellOnce(group: string, device: string): boolean {
    const devices = this.told.get(group) ?? new Set();
    this.told.set(group, devices);
    return devices.size < devices.add(device).size;
  }

  /** The next message in the group has a new key. */
  forget(group: string): void {
    this.records.delete(nameOf(group, this.own).toString());
    this.told.delete(group);
  }

  private record(name: string): SenderKeyRecord {
    let record = this.records.get(name);
    if (record === undefined) this.records.set(name, (record = new SenderKeyRecord()));
    return record;
  }
}

function nameOf(group: string, { lid, device }: Peer): SenderKeyName {
  return new SenderKeyName(group, { id: lid, deviceId: device, toString: () => `${lid}.${device}` });
}
