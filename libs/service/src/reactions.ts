import type { EventEnvelope } from '@messaging-gateway/contracts';
import type { ConsumerHome, Subscription } from '@messaging-gateway/messaging';
import type { BindingTools } from './bindings.ts';
import type { ReactionRow, ServiceDefinition } from './definition.ts';

/**
 * One subscription for all reactions of a service; the kinds go their own ways.
 *
 * @throws Error when some reactions gather and some do not: one of the others would silently slow all of them down
 */
export function subscriptionOf(rows: readonly ReactionRow[], home: ConsumerHome, tools: BindingTools): Subscription {
  const sorts = new Set(rows.map(({ ordered }) => ordered !== false));
  if (sorts.size > 1) throw new Error(`Of ${tools.service} either all reactions gather or none.`);
  const byKind = Map.groupBy(rows, (row) => row.contract.type);
  return {
    group: tools.service,
    kinds: [...byKind.keys()],
    home,
    ordered: !sorts.has(false),
    handler: async (event) => {
      for (const row of byKind.get(event.type) ?? []) await row.handler(event.data as never, event);
      handled(event, tools);
    },
    onGivenUp: ({ event }) => tools.metrics.deadLetter(event.type),
  };
}

function handled(event: EventEnvelope, { handled, metrics, clock }: BindingTools): void {
  const ageMs = Math.max(0, clock.now() - Date.parse(event.time));
  handled.add(event.id, ageMs);
  metrics.reaction(event.type, ageMs / 1000);
}

export const reactionsOf = ({ rows }: ServiceDefinition): readonly ReactionRow[] =>
  rows.filter((row) => row.row === 'reaction');
