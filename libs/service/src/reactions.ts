import type { EventEnvelope } from '@messaging-gateway/contracts';
import type { ConsumerHome, Subscription, Way } from '@messaging-gateway/messaging';
import type { BindingTools } from './bindings.ts';
import type { ReactionRow, ServiceDefinition } from './definition.ts';

/**
 * One subscription for all reactions of a service; the kinds go their own ways.
 *
 * @throws Error when reactions to one kind go different ways
 */
export function subscriptionOf(rows: readonly ReactionRow[], home: ConsumerHome, tools: BindingTools): Subscription {
  const byKind = Map.groupBy(rows, (row) => row.contract.type);
  return {
    group: tools.service,
    kinds: [...byKind.keys()],
    home,
    ways: Object.fromEntries([...byKind].map(([kind, ofKind]) => [kind, wayOf(kind, ofKind)])),
    handler: async (event) => {
      await handle(event, byKind.get(event.type) ?? []);
      handled(event, tools);
    },
    onGivenUp: ({ event }) => tools.metrics.deadLetter(event.type),
  };
}

/** One reaction after the other; those that gather events side by side: what one of them waits for holds none of the others up. */
async function handle(event: EventEnvelope, rows: readonly ReactionRow[]): Promise<void> {
  const begin = (row: ReactionRow): Promise<void> => row.handler(event.data as never, event);
  if (rows[0]?.way?.ordered !== false) {
    for (const row of rows) await begin(row);
    return;
  }
  // All of them are over before the event is handled again because one has failed.
  const outcomes = await Promise.allSettled(rows.map(begin));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

function wayOf(kind: string, rows: readonly ReactionRow[]): Way {
  const [{ way = {} } = {}, ...others] = rows;
  for (const other of others)
    if (JSON.stringify(other.way ?? {}) !== JSON.stringify(way)) throw new Error(`Reactions to ${kind} go two ways.`);
  return way;
}

function handled(event: EventEnvelope, { handled, metrics, clock }: BindingTools): void {
  const ageMs = Math.max(0, clock.now() - Date.parse(event.time));
  handled.add(event.id, ageMs);
  metrics.reaction(event.type, ageMs / 1000);
}

export const reactionsOf = ({ rows }: ServiceDefinition): readonly ReactionRow[] =>
  rows.filter((row) => row.row === 'reaction');
