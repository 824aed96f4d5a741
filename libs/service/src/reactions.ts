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
      for (const row of byKind.get(event.type) ?? []) await row.handler(event.data as never, event);
      handled(event, tools);
    },
    onGivenUp: ({ event }) => tools.metrics.deadLetter(event.type),
  };
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
