import type { Change, SessionData } from '../session-data/session-data-store.ts';
import { dueChange } from './retention.ts';

/** What is known of a message that was handed to the network. Times in milliseconds since 1970. */
export interface SentRecord {
  readonly state: 'handed-over' | 'acknowledged' | 'refused';
  readonly at: number;
  readonly attempt: number;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
}

const rowOf = (networkMessageId: string, record: SentRecord): Change => ({
  room: 'sent',
  id: networkMessageId,
  value: Buffer.from(JSON.stringify(record)),
});
const dueOf = (networkMessageId: string, { at }: SentRecord): Change => dueChange('sent', [networkMessageId], at);

/** What has become of a message. What was refused may have no record from before. */
export const outcomeChanges = (networkMessageId: string, record: SentRecord): readonly Change[] => [
  rowOf(networkMessageId, record),
  ...(record.state === 'refused' ? [dueOf(networkMessageId, record)] : []),
];

/** With the message itself, so that a contact who cannot read it can be sent it again. */
export const firstRecord = (networkMessageId: string, record: SentRecord, encoded: Uint8Array): readonly Change[] => [
  rowOf(networkMessageId, record),
  { room: 'content', id: networkMessageId, value: encoded },
  dueOf(networkMessageId, record),
];

export async function readRecord(data: SessionData, networkMessageId: string): Promise<SentRecord | undefined> {
  const [value] = await data.read('sent', [networkMessageId]);
  return value === undefined ? undefined : (JSON.parse(value.toString()) as SentRecord);
}
