import { takeNews, type News } from '@messaging-gateway/insights';
import { sqlOn } from '@messaging-gateway/service';
import type pg from 'pg';
import { v7 } from 'uuid';

/** News that come within one rest of the intake, at some 700 messages a second. */
const atOnce = 700;
const profiles = 10;

/** CPU of one message, milliseconds. */
export interface Cost {
  readonly cpuMs: number;
  readonly postgresCpuMs: number;
  /** Of half of them, which go out; what comes in is told once. */
  readonly newsEach: number;
  readonly atOnce: number;
}

/**
 * Takes in the news of messages as they are told: half come in, half go out and are accepted, sent, delivered and read.
 *
 * @param postgresCpu of the server until now, milliseconds
 */
export async function takeIn(pool: pg.Pool, postgresCpu: () => number, messages: number): Promise<Cost> {
  const sql = sqlOn(pool);
  const organizationId = v7();
  const profileIds = Array.from({ length: profiles }, () => v7());
  const chats = Array.from({ length: 500 }, () => v7());
  const batches: News[][] = [];
  const all: News[] = [];
  const now = Date.now();
  for (let number = 0; number < messages; number += 1) {
    const at = now - messages + number;
    const messageId = v7({ msecs: at });
    const chat = number % chats.length;
    const incoming = (number / chats.length) % 2 < 1;
    all.push({
      kind: 'message',
      organizationId,
      messageId,
      place: messageId,
      at,
      profileId: profileIds[chat % profiles] as string,
      conversationId: chats[chat] as string,
      isPrivate: true,
      type: 'text',
      direction: incoming ? 'incoming' : 'outgoing',
      origin: incoming ? '' : 'api',
      status: incoming ? 'received' : 'queued',
    });
    if (!incoming)
      for (const status of ['sent', 'sent', 'delivered', 'read'] as const)
        all.push({ kind: 'progress', organizationId, messageId, status });
  }
  for (let from = 0; from < all.length; from += atOnce) batches.push(all.slice(from, from + atOnce));
  for (const batch of batches.splice(0, 5)) await takeNews(sql, batch, now);
  const [own, postgres] = [process.cpuUsage(), postgresCpu()];
  for (const batch of batches) await takeNews(sql, batch, now);
  const { user, system } = process.cpuUsage(own);
  const measured = (batches.length * atOnce) / (all.length / messages);
  const postgresCpuMs = (postgresCpu() - postgres) / measured;
  return { cpuMs: (user + system) / 1000 / measured + postgresCpuMs, postgresCpuMs, newsEach: 5, atOnce };
}
