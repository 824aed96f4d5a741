import { keyOfMediaUrl, mediaUrl } from '@messaging-gateway/contracts';
import { every, type Job, type ServiceTools } from '@messaging-gateway/service';
import { isMessage } from './records.ts';
import { mediaColumns, ownMedia, type MessageWithMedia } from './own-media.ts';

/** Stored media of messages that are deleted. */
export interface DoomedMedia {
  readonly job: Job;
  /**
   * Notes the media of a message that is about to lose its content. Written before that, so that a process that is
   * killed in between leaves a note and no media that nobody knows of.
   *
   * @param url of media that the message may have received; absent: the media that it has
   */
  note(messageId: string, url?: string): Promise<void>;
  /** Deletes, soon, whatever is noted and belongs to no message any more. */
  wake(): void;
}

interface Noted {
  readonly key: string;
  readonly noted_at: Date;
  /** The message is still there with its content. */
  readonly used: boolean;
}

/** A deletion that was not carried out in this time never will be, and the media stay. */
const patienceMs = 600_000;
const page = 100;
const atOnce = 8;

type Tools = Pick<ServiceTools<unknown>, 'sql' | 'clock' | 'media'>;

export function doomedMedia(tools: Tools): DoomedMedia {
  const job = every('1h', 'media of deleted messages', (signal) => deleteNoted(tools, signal), { afterFault: '1m' });
  return { note: (messageId, url) => noteMedia(tools, messageId, url), wake: job.wake, job };
}

async function noteMedia({ sql, clock }: Tools, messageId: string, url?: string): Promise<void> {
  const keys =
    url === undefined ? await ownKeys(sql, messageId) : [keyOfMediaUrl(url)].filter((key) => key !== undefined);
  if (keys.length === 0) return;
  await sql.query(
    `INSERT INTO doomed_media (key, message_id, noted_at) SELECT key, $2, $3 FROM unnest($1::text[]) key
     ON CONFLICT (key) DO UPDATE SET noted_at = excluded.noted_at`,
    [keys, messageId, new Date(clock.now())],
  );
}

async function ownKeys(sql: Tools['sql'], messageId: string): Promise<readonly string[]> {
  const [row] = await sql.query<MessageWithMedia>(`SELECT ${mediaColumns} FROM messages m WHERE ${isMessage}`, [
    messageId,
  ]);
  return row === undefined ? [] : ownMedia(row);
}

async function deleteNoted({ sql, clock, media }: Tools, signal: AbortSignal): Promise<void> {
  const settle = async ({ key, noted_at: at, used }: Noted): Promise<void> => {
    if (used && at.getTime() > clock.now() - patienceMs) return;
    if (!used) await media.delete(key);
    await sql.query('DELETE FROM doomed_media WHERE key = $1', [key]);
  };
  for (let after = ''; !signal.aborted;) {
    const rows = await sql.query<Noted>(
      `SELECT d.key, d.noted_at, EXISTS (
                SELECT FROM messages m
                 WHERE m.id = coalesce((SELECT place FROM message_places known WHERE known.message_id = d.message_id), d.message_id)
                   AND $2 || d.key IN (m.content->>'url', m.content->'media'->>'url')
              ) AS used
         FROM doomed_media d WHERE d.key > $1 ORDER BY d.key LIMIT ${page}`,
      [after, mediaUrl('')],
    );
    for (let from = 0; from < rows.length; from += atOnce)
      await Promise.all(rows.slice(from, from + atOnce).map(settle));
    if (rows.length < page) return;
    after = rows.at(-1)?.key ?? '';
  }
}
