import { createHash } from 'node:crypto';
import { type BinaryNode, jidDecode } from '@whiskeysockets/baileys';

/**
 * A short name for the message in a stanza: by chat, author and id, so that it is the same when the message comes again
 * in another encryption, by phone or by LID. Hashed, since names of rows are kept readable.
 */
export function nameOfMessage({ attrs }: BinaryNode): string {
  const { from, participant, recipient, id } = attrs;
  const chat =
    from?.endsWith('@g.us') === true ? from : userOf(recipient, attrs['recipient_pn'] ?? attrs['peer_recipient_pn']);
  const author = userOf(participant ?? from, attrs['participant_pn'] ?? attrs['sender_pn']);
  const name = createHash('sha256')
    .update(JSON.stringify([chat, author, id]))
    .digest('hex');
  return `message-${name.slice(0, 32)}`;
}

/** A person without the device: by number where it is told, else by LID. */
export function userOf(jid: string | undefined, phone: string | undefined): string | undefined {
  const known = jid?.endsWith('lid') === true ? (phone ?? jid) : jid;
  const decoded = known === undefined ? undefined : jidDecode(known);
  return decoded === undefined ? undefined : `${decoded.user}@${decoded.server}`;
}

/** Clients make ids of at most 32 letters and digits. */
const usual = /^[!-~]{0,255}$/;

/**
 * The id under which a message is kept and told. Whoever writes chooses the ids of messages, and those that a quotation, a
 * reaction or a vote names: one that stores could not hold as part of a key, for its length or its characters, is known by
 * its hash, wherever it is named.
 */
export const keptId = (id: string): string =>
  usual.test(id) ? id : createHash('sha256').update(id).digest('hex').toUpperCase();

/** The first second of the year 10000, which timestamps cannot name. */
const end = 253_402_300_800;

/** A time that the network names, in seconds since 1970, as a timestamp; now where it names none. */
export function timestampOf(seconds: unknown): string {
  const known = typeof seconds === 'string' && seconds.trim() === '' ? NaN : Number(seconds ?? NaN);
  return (known >= 0 && known < end ? new Date(known * 1000) : new Date()).toISOString();
}
