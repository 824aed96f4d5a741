import type { ServiceTools } from '@messaging-gateway/service';
import DataLoader from 'dataloader';
import type { Told } from './target.ts';

/** A change that came before its message. */
export interface Waiting {
  readonly id: string;
  readonly change: Told;
}

export interface WaitingChanges {
  /** The changes that wait for a message, oldest first. Read from the database at each call; calls of one turn share a query. */
  of(message: Target): Promise<readonly Waiting[]>;
}

interface Target {
  readonly organizationId: string;
  readonly profileId: string;
  readonly networkMessageId: string;
}

/** Nearly no message has any, and all messages are asked about. */
const most = 500;

export function waitingChanges({ sql }: Pick<ServiceTools<unknown>, 'sql'>): WaitingChanges {
  const read = async (asked: readonly Target[]): Promise<Waiting[][]> => {
    const rows = await sql.query<Waiting & { ordinal: string }>(
      `SELECT asked.ordinal, w.id, w.change
         FROM unnest($1::uuid[], $2::text[], $3::uuid[])
              WITH ORDINALITY AS asked (profile_id, network_message_id, organization_id, ordinal)
         JOIN waiting_changes w USING (profile_id, network_message_id, organization_id)
        WHERE NOT w.settled
        ORDER BY (w.change->>'at')::timestamptz, w.created_at, w.id`,
      [
        asked.map(({ profileId }) => profileId),
        asked.map(({ networkMessageId }) => networkMessageId),
        asked.map(({ organizationId }) => organizationId),
      ],
    );
    const found = Map.groupBy(rows, ({ ordinal }) => Number(ordinal));
    return asked.map((_, index) => found.get(index + 1) ?? []);
  };
  const loader = new DataLoader(read, { cache: false, maxBatchSize: most });
  return { of: (message) => loader.load(message) };
}
