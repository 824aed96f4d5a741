import type { EventStore, StreamType } from '@messaging-gateway/event-sourcing';
import type { Clock, Logger } from '@messaging-gateway/runtime';

type Reason = 'provider' | 'budget';
interface Note {
  readonly reason: Reason;
  /** Milliseconds since 1970. */
  readonly at: number;
}
type Told = { readonly [R in Reason]?: number };
type Hampered = { type: 'AiHampered'; data: { readonly reason: Reason; readonly at: string } };

const hour = 3_600_000;
const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

const isTold = ({ reason, at }: Note, told: number | undefined): boolean =>
  told !== undefined && (reason === 'budget' ? monthOf(told) === monthOf(at) : at < told + hour);

/** Times at which AI of an organization could not answer: told of a provider once an hour, of a budget once a month (UTC). */
export const hamperedStream: StreamType<Told, Note, Hampered> = {
  name: 'ai-hampered',
  decider: {
    initial: {},
    decide: (note, told) =>
      isTold(note, told[note.reason])
        ? []
        : [{ type: 'AiHampered', data: { reason: note.reason, at: new Date(note.at).toISOString() } }],
    evolve: (told, { data: { reason, at } }) => ({ ...told, [reason]: Date.parse(at) }),
  },
  events: { AiHampered: { version: 1 } },
};

/** A provider counts as failing after so many calls without an answer, in this process. */
const failuresInARow = 3;
/** Organizations whose last calls failed that are remembered, at most. */
const remembered = 10_000;

/** Notices when AI of an organization cannot answer. Nobody waits for that. */
export class Hampering {
  readonly #store: EventStore;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #failures = new Map<string, number>();

  constructor({ store, clock, log }: { readonly store: EventStore; readonly clock: Clock; readonly log: Logger }) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  exhausted(organizationId: string): void {
    this.#note(organizationId, 'budget');
  }

  answered(organizationId: string): void {
    this.#failures.delete(organizationId);
  }

  failed(organizationId: string): void {
    const failures = (this.#failures.get(organizationId) ?? 0) + 1;
    if (this.#failures.size >= remembered) this.#failures.clear();
    this.#failures.set(organizationId, failures % failuresInARow);
    if (failures >= failuresInARow) this.#note(organizationId, 'provider');
  }

  #note(organizationId: string, reason: Reason): void {
    const metadata = { organizationId, subject: `organization:${organizationId}`, actor: 'service:automation' };
    this.#store
      .handle(hamperedStream, organizationId, { reason, at: this.#clock.now() }, { metadata })
      .catch((error: unknown) => this.#log.warn('AI that cannot answer was not noted', { reason: String(error) }));
  }
}
