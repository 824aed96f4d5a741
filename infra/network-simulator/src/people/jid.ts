import { jidDecode } from '@whiskeysockets/baileys';
import { SERVER } from '../connection/nodes.ts';

export type Addressing = 'phone' | 'lid';
/** An account's address taken apart: a phone number or a LID, and the device (0 is the phone itself). */
export type Jid = { user: string; addressing: Addressing; device: number };

export function parseJid(jid: string | undefined): Jid | undefined {
  const decoded = jid === undefined ? undefined : jidDecode(jid);
  if (decoded === undefined || decoded.user === '') return undefined;
  if (decoded.server !== SERVER && decoded.server !== 'lid') return undefined;
  const addressing = decoded.server === 'lid' ? 'lid' : 'phone';
  return { user: decoded.user, addressing, device: decoded.device ?? 0 };
}

export function phoneJid(phone: string, device = 0): string {
  return `${phone}${device === 0 ? '' : `:${device}`}@${SERVER}`;
}

export function lidJid(lid: string, device = 0): string {
  return `${lid}${device === 0 ? '' : `:${device}`}@lid`;
}
