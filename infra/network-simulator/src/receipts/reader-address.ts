import { isJidGroup } from '@whiskeysockets/baileys';
import { parseJid } from '../people/jid.ts';
import type { Person } from '../people/person.ts';

/** Whom a receipt comes from: the address that the message was written to, in a group also which member. */
export function readerAddress(
  reader: Person,
  writtenTo: string | undefined,
): { from: string; participant?: string; participant_pn?: string } {
  if (writtenTo !== undefined && isJidGroup(writtenTo) === true)
    return { from: writtenTo, participant: reader.jid('lid'), participant_pn: reader.jid('phone') };
  return { from: reader.jid(parseJid(writtenTo)?.addressing ?? 'phone') };
}
