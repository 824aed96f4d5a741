import { setImmediate as turn } from 'node:timers/promises';
import type { Change, SessionData } from '../session-data/session-data-store.ts';

/** What is known of a message that was handed to the network. Times in milliseconds since 1970. */
export interface SentRecord {
  readonly state: 'handed-over' | 'acknowledged' | 'refused';
  readonly at: number;
  readonly attempt: number;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
}

/** Records are kept so long at least (and retry receipts answered), and no longer than a sweep after that. */
const keepMs = 72 * 3_600_000;

export const recordOf = (networkMessageId: string, record: SentRecord): Change => ({
  room: 'sent',
  id: networkMessageId,
  value: Buffer.from(JSON.stringify(record)),
});

/** With the message itself, so that a contact who cannot read it can be sent it again. */
export const firstRecord = (networkMessageId: string, record: SentRecord, encoded: Uint8Array): readonly Change[] => [
  recordOf(networkMessageId, record),
  { room: 'content', id: networkMessageId, value: encoded },
];

export async function readRecord(data: SessionData, networkMessageId: string): Promise<SentRecord | undefined> {
  const [value] = await data.read('sent', [networkMessageId]);
  return value === undefined ? undefined : (JSON.parse(value.toString()) as SentRecord);
}

/** Votes on a poll can be read for so long: people vote late. */
const pollsMs = 90 * 24 * 3_600_000;

/** Removes what is older than 72 hours: records, sent messages, and marks of what was taken; and polls after 90 days. */
export async function sweep(data: SessionData, now: number): Promise<void> {
  for (const [room, kept] of [
    ['sent', keepMs],
    ['taken', keepMs],
    ['poll', pollsMs],
  ] as const) {
    for (let after = ''; ;) {
      const entries = await data.scan(room, after, 100);
      const old = entries.filter(({ value }) => (JSON.parse(value.toString()) as { at: number }).at < now - kept);
      const changes = old.flatMap(({ id }): Change[] => [
        { room, id, value: undefined },
        ...(room === 'sent' ? [{ room: 'content', id, value: undefined } as const] : []),
      ]);
      await data.commit(changes);
      if (entries.length < 100) break;
      after = entries.at(-1)?.id ?? '';
      await turn();
    }
  }
}
