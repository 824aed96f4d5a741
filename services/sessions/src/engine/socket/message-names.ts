import { createHash } from 'node:crypto';
import { jidDecode, type BinaryNode } from '@whiskeysockets/baileys';

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
