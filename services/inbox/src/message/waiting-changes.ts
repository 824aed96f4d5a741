import type { ServiceTools } from '@messaging-gateway/service';
import DataLoader from 'dataloader';
import type { InboxSettings } from '../config.ts';
import type { WaitingToldChange } from './waiting-change.ts';
import { WaitingTargets, type Target } from './waiting-targets.ts';

/** A change that came before its message. */
interface Waiting {
  readonly id: string;
  readonly change: WaitingToldChange;
}

export interface WaitingChanges {
  /** Called before a change is kept. */
  expect(message: Target): Promise<void>;
  /** The changes that wait for a message, oldest first. Calls of one turn share a query. */
  of(message: Target & { readonly organizationId: string }): Promise<readonly Waiting[]>;
}

/** Nearly no message has any, and all messages are asked about. */
const most = 500;

/**
 * Reads the table at each call, as another replica may have kept a change a moment ago; a process that is alone knows of
 * which messages there is none.
 */
export function waitingChanges({
  sql,
  settings: { isAlone },
}: Pick<ServiceTools<InboxSettings>, 'sql' | 'settings'>): WaitingChanges {
  const targets = isAlone ? new WaitingTargets(sql) : undefined;
  const read = async (asked: readonly Parameters<WaitingChanges['of']>[0][]): Promise<Waiting[][]> => {
    const rows = await sql.query<Waiting & { ordinal: string }>(
      `SELECT asked.ordinal, w.id, w.change
         FROM unnest($1::uuid[], $2::text[], $3::uuid[])
              WITH ORDINALITY AS asked (profile_id, network_message_id, organization_id, ordinal)
         JOIN waiting_changes w USING (profile_id, network_message_id, organization_id)
        WHERE NOT w.settled
        ORDER BY (w.change->>'at')::timestamptz, w.change->>'sequence' NULLS FIRST, w.created_at, w.id`,
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
  return {
    expect: async (message) => targets?.expect(message),
    of: async (message) => (targets === undefined || (await targets.has(message)) ? loader.load(message) : []),
  };
}
