import { getContentType, normalizeMessageContent, proto } from '@whiskeysockets/baileys';
import type { QuotedMessageOf } from '@messaging-gateway/contracts';
import type { SessionData } from '../../session-data/session-data-store.ts';

/** A message of ours as it was sent, for the quotation; undefined when it is another's or older than 72 hours. */
export async function quotedAsSent(
  { networkMessageId, fromMe }: QuotedMessageOf,
  data: SessionData,
): Promise<proto.IMessage | undefined> {
  const [encoded] = fromMe ? await data.read('content', [networkMessageId]) : [];
  const message = encoded === undefined ? undefined : normalizeMessageContent(proto.Message.decode(encoded));
  const kind = getContentType(message ?? undefined);
  const inner = kind === undefined ? undefined : message?.[kind];
  if (kind === undefined || typeof inner !== 'object' || inner === null) return undefined;
  // What it quotes itself is not shown, and grows with each answer.
  const { contextInfo: _context, ...said } = inner as { contextInfo?: unknown };
  return { [kind]: said };
}
