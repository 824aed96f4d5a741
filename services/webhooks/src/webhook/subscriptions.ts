import { erased, type EventStore } from '@messaging-gateway/event-sourcing';
import type { ActiveWebhook } from './webhook.ts';
import { webhookStream } from './webhook-stream.ts';

interface Known {
  readonly version: number;
  readonly webhook: ActiveWebhook | undefined;
  /** Of the clock that never jumps. */
  readonly until: number;
}

const remembered = 5000;
/** Subscriptions are remembered so long, milliseconds: by then what another replica erased is gone. */
const rememberedForMs = 60_000;

/** Webhooks with their URL, headers and secrets, decrypted; remembered by version. */
export class Subscriptions {
  readonly #store: EventStore;
  readonly #known = new Map<string, Known>();

  constructor(store: EventStore) {
    this.#store = store;
  }

  /**
   * A webhook as it was at a version or later; undefined when it was deleted or its organization erased.
   *
   * @param atLeast the version that must have been seen, from the view
   */
  async get(id: string, atLeast: number): Promise<ActiveWebhook | undefined> {
    const known = this.#known.get(id);
    if (known !== undefined && known.version >= atLeast && performance.now() < known.until) return known.webhook;
    const { state, version } = await this.#store.load(webhookStream, id);
    const webhook = state.status === 'active' && state.url !== erased ? state : undefined;
    this.#known.delete(id);
    this.#known.set(id, { version, webhook, until: performance.now() + rememberedForMs });
    const [oldest] = this.#known.keys();
    if (this.#known.size > remembered && oldest !== undefined) this.#known.delete(oldest);
    return webhook;
  }

  /** After an erasure nothing is known any more. */
  forget(): void {
    this.#known.clear();
  }
}
