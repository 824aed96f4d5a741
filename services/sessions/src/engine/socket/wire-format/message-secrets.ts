import { createDecipheriv, createHash, createHmac } from 'node:crypto';
import { jidDecode, type proto } from '@whiskeysockets/baileys';
import { dayOf, maxSecretDays } from '../../../session-data/retention.ts';
import type { Change, SessionData } from '../../../session-data/session-data-store.ts';
import { keptId } from './message-names.ts';

/**
 * Messages carry a secret, and changes that clients make of them later are encrypted with it: votes, edits, and reactions
 * and comments in communities. The label, which is part of the key, says which kind of change it is.
 */
export type SealLabel = 'Poll Vote' | 'Poll Edit' | 'Message Edit' | 'Event Edit' | 'Enc Reaction' | 'Event Response';

/** These are bound to the message and to their author by associated data as well. */
const withAssociatedData: readonly SealLabel[] = ['Poll Vote', 'Event Response'];

export interface Sealed {
  readonly encPayload?: Uint8Array | null;
  readonly encIv?: Uint8Array | null;
}

/** The parts of the key. Addresses are LIDs or numbers in the network's form, without a device: either can have been used. */
export interface SealKey {
  /** Id of the message that is changed, as the change names it. */
  readonly messageId: string;
  readonly secret: Uint8Array;
  readonly authors: readonly string[];
  readonly editors: readonly string[];
}

const tagBytes = 16;
const secretBytes = 32;

/** Decrypts a change. @returns undefined if the key is another one */
export function unseal(label: SealLabel, { encPayload, encIv }: Sealed, key: SealKey): Buffer | undefined {
  if (!encIv?.length || !encPayload || encPayload.length < tagBytes) return undefined;
  for (const author of key.authors)
    for (const editor of key.editors) {
      const info = `${key.messageId}${author}${editor}${label}`;
      try {
        const derived = derive(key.secret, info);
        const decipher = createDecipheriv('aes-256-gcm', derived, encIv, { authTagLength: tagBytes });
        if (withAssociatedData.includes(label)) decipher.setAAD(Buffer.from(`${key.messageId}\0${editor}`));
        decipher.setAuthTag(encPayload.subarray(-tagBytes));
        return Buffer.concat([decipher.update(encPayload.subarray(0, -tagBytes)), decipher.final()]);
      } catch {
        // Another pair of addresses may have been used.
      }
    }
  return undefined;
}

/** HKDF-SHA-256 without salt, one block of output (RFC 5869). That of Node.js refuses info of over 1,024 bytes, and ids can be longer. */
function derive(secret: Uint8Array, info: string): Buffer {
  const extracted = createHmac('sha256', Buffer.alloc(32)).update(secret).digest();
  return createHmac('sha256', extracted)
    .update(info)
    .update(Buffer.from([1]))
    .digest();
}

/**
 * Decrypts a change with the stored secret of the message that it changes.
 *
 * @param authors addresses of the author of that message
 * @returns undefined if there is no secret that decrypts it
 */
export async function openSealed(
  label: SealLabel,
  sealed: Sealed,
  { messageId, authors, editors }: Omit<SealKey, 'secret'>,
  { data, now }: { readonly data: SessionData; readonly now: number },
): Promise<Buffer | undefined> {
  const idsOf = (from: number, days: number): string[] =>
    Array.from({ length: days }, (_, age) => dayOf(now - (from + age) * dayMs)).flatMap((day) =>
      authors.map((author) => secretId(day, author, keptId(messageId))),
    );
  // Nearly all changes are made on the day of the message.
  for (const ids of [idsOf(0, 2), idsOf(2, maxSecretDays - 1)])
    for (const stored of await data.read('secret', ids)) {
      if (stored === undefined) continue;
      const kept = readStored(stored);
      const key = { messageId, secret: kept.secret, authors: [...new Set([...authors, ...kept.authors])], editors };
      const plain = unseal(label, sealed, key);
      if (plain !== undefined) return plain;
    }
  return undefined;
}

const dayMs = 24 * 3_600_000;

/** The change that stores the secret of a message; none if it has none. @param authors addresses of its author */
export function secretChanges(
  networkMessageId: string,
  { messageContextInfo }: proto.IMessage,
  authors: readonly string[],
  now: number,
): Change[] {
  const secret = messageContextInfo?.messageSecret;
  const [first] = authors;
  if (secret?.length !== secretBytes || first === undefined) return [];
  const value = Buffer.concat([secret, ...userBytes(authors)]);
  return [{ table: 'secret', id: secretId(dayOf(now), first, networkMessageId), value }];
}

/**
 * Rows are in the order of the days, so that old ones are found without being looked for. Two bytes of the author's address
 * keep others from replacing a secret with a message under the same id, and say too little to find the address.
 */
function secretId(day: string, author: string, networkMessageId: string): string {
  const tag = createHash('sha256').update(`${networkMessageId} ${author}`).digest('hex').slice(0, 4);
  return `${day} ${tag} ${networkMessageId}`;
}

const lidServer = 'lid';
const phoneServer = 's.whatsapp.net';

/** LID and number of the author, eight bytes each; zero if unknown. */
function userBytes(authors: readonly string[]): Buffer[] {
  const decoded = authors.map((author) => jidDecode(author));
  return [lidServer, phoneServer].map((server) => {
    const user = decoded.find((one) => one?.server === server)?.user ?? '';
    const bytes = Buffer.alloc(8);
    if (/^\d{1,19}$/.test(user)) bytes.writeBigUInt64BE(BigInt(user));
    return bytes;
  });
}

function readStored(stored: Buffer): Pick<SealKey, 'secret' | 'authors'> {
  const users = [lidServer, phoneServer].flatMap((server, index) => {
    const user = stored.readBigUInt64BE(secretBytes + 8 * index);
    return user === 0n ? [] : [`${user}@${server}`];
  });
  return { secret: stored.subarray(0, secretBytes), authors: users };
}
