import { randomBytes } from 'node:crypto';
import { encodeSyncdPatch, newLTHashState, proto } from '@whiskeysockets/baileys';
import { phoneJid, lidJid } from './jid.ts';

/** The collection of the account's state in which clients look for contacts. */
const ADDRESS_BOOK = 'critical_unblock_low';
/** The collections of marks on chats. */
const MARKS = 'regular_low';
const MUTES = 'regular_high';

const { SET } = proto.SyncdMutation.SyncdOperation;

type Listed = { phone: string; lid: string };
type Change = Parameters<typeof encodeSyncdPatch>[0];
type Collection = Change['type'];

/** A mark on a chat; `mutedUntil`: milliseconds since 1970, 0 ends it, -1 mutes permanently. */
export type ChatMark = { read: boolean } | { archived: boolean } | { pinned: boolean } | { mutedUntil: number };

/**
 * The state of an account that its phone shares with linked clients: whom the owner has saved, and marks on chats. Clients get it
 * as changes of collections, encrypted with a key that the phone sends them.
 */
export class AccountState {
  readonly key = { id: randomBytes(6), data: randomBytes(32) };
  private readonly collections = new Map<string, { changes: Uint8Array[]; state: ReturnType<typeof newLTHashState> }>();
  private last: Promise<unknown> = Promise.resolve();

  /** How many changes a collection has had. */
  version(collection: string): number {
    return this.collections.get(collection)?.changes.length ?? 0;
  }

  /** Changes of a collection after a version, oldest first, as clients read them. */
  since(collection: string, version: number, most: number): Uint8Array[] {
    return this.collections.get(collection)?.changes.slice(version, version + most) ?? [];
  }

  /** Saves somebody, or changes the name of who is saved. @returns the collection */
  save({ phone, lid }: Listed, name: string): Promise<Collection> {
    const contactAction = { fullName: name, firstName: name, lidJid: lidJid(lid) };
    return this.add({ type: ADDRESS_BOOK, index: ['contact', phoneJid(phone)], apiVersion: 2 }, { contactAction });
  }

  /** Marks a chat. @returns the collection */
  mark(chat: string, mark: ChatMark): Promise<Collection> {
    if ('read' in mark)
      return this.add(
        { type: MARKS, index: ['markChatAsRead', chat], apiVersion: 3 },
        { markChatAsReadAction: { read: mark.read } },
      );
    if ('archived' in mark)
      return this.add(
        { type: MARKS, index: ['archive', chat], apiVersion: 3 },
        { archiveChatAction: { archived: mark.archived } },
      );
    if ('pinned' in mark)
      return this.add({ type: MARKS, index: ['pin_v1', chat], apiVersion: 5 }, { pinAction: { pinned: mark.pinned } });
    const { mutedUntil } = mark;
    const muteAction = { muted: mutedUntil !== 0, ...(mutedUntil !== 0 && { muteEndTimestamp: mutedUntil }) };
    return this.add({ type: MUTES, index: ['mute', chat], apiVersion: 2 }, { muteAction });
  }

  private add(
    change: Pick<Change, 'type' | 'index' | 'apiVersion'>,
    action: Omit<Change['syncAction'], 'timestamp'>,
  ): Promise<Collection> {
    const added = this.last.then(() =>
      this.append({ ...change, syncAction: { ...action, timestamp: Date.now() }, operation: SET }),
    );
    this.last = added.catch(() => {});
    return added.then(() => change.type);
  }

  private async append(change: Change): Promise<void> {
    const collection = this.collections.get(change.type) ?? { changes: [], state: newLTHashState() };
    this.collections.set(change.type, collection);
    const key = proto.Message.AppStateSyncKeyData.fromObject({ keyData: this.key.data });
    const id = this.key.id.toString('base64');
    const { patch, state } = await encodeSyncdPatch(change, id, collection.state, async () => key);
    collection.state = state;
    const version = { version: state.version };
    collection.changes.push(proto.SyncdPatch.encode(proto.SyncdPatch.fromObject({ ...patch, version })).finish());
  }
}
