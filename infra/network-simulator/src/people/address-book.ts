import { randomBytes } from 'node:crypto';
import { encodeSyncdPatch, newLTHashState, proto } from '@whiskeysockets/baileys';
import { phoneJid, lidJid } from './jid.ts';

/** The collection of the account's state in which clients look for contacts. */
export const ADDRESS_BOOK = 'critical_unblock_low';

const VERSION = 2;
const { SET } = proto.SyncdMutation.SyncdOperation;

type Listed = { phone: string; lid: string };

/**
 * Whom the owner of a phone has saved, by name. Linked clients get it as changes of the account's state, encrypted with
 * a key that the phone tells them.
 */
export class AddressBook {
  readonly key = { id: randomBytes(6), data: randomBytes(32) };
  private readonly changes: Uint8Array[] = [];
  private state = newLTHashState();
  private last: Promise<unknown> = Promise.resolve();

  get version(): number {
    return this.changes.length;
  }

  /** Saves somebody, or changes the name of who is saved. */
  save({ phone, lid }: Listed, name: string): Promise<void> {
    const saving = this.last.then(() => this.append(phoneJid(phone), lidJid(lid), name));
    this.last = saving.catch(() => {});
    return saving;
  }

  /** Changes after a version, oldest first, as clients read them. */
  since(version: number, most: number): Uint8Array[] {
    return this.changes.slice(version, version + most);
  }

  private async append(jid: string, lid: string, name: string): Promise<void> {
    const change = {
      type: ADDRESS_BOOK,
      index: ['contact', jid],
      syncAction: { timestamp: Date.now(), contactAction: { fullName: name, firstName: name, lidJid: lid } },
      apiVersion: VERSION,
      operation: SET,
    } as const;
    const key = proto.Message.AppStateSyncKeyData.fromObject({ keyData: this.key.data });
    const id = this.key.id.toString('base64');
    const { patch, state } = await encodeSyncdPatch(
      { ...change, index: [...change.index] },
      id,
      this.state,
      async () => key,
    );
    this.state = state;
    const version = { version: state.version };
    this.changes.push(proto.SyncdPatch.encode(proto.SyncdPatch.fromObject({ ...patch, version })).finish());
  }
}
