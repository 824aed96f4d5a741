import type { Delivery } from './delivery.ts';
import { Endpoint } from './endpoint.ts';

/** The webhooks that this process has something to do with. */
export class Endpoints {
  readonly #known = new Map<string, Endpoint>();

  of(webhook: Pick<Delivery, 'webhookId' | 'organizationId'>): Endpoint {
    const known = this.#known.get(webhook.webhookId);
    if (known !== undefined) return known;
    const endpoint = new Endpoint(webhook);
    this.#known.set(webhook.webhookId, endpoint);
    return endpoint;
  }

  find(webhookId: string): Endpoint | undefined {
    return this.#known.get(webhookId);
  }

  all(): Iterable<Endpoint> {
    return this.#known.values();
  }

  /** Of which new deliveries are not taken in hand. */
  full(): string[] {
    return [...this.#known.values()].filter(({ full }) => full).map(({ webhookId }) => webhookId);
  }

  forgetIdle(): void {
    for (const [id, { idle }] of this.#known) if (idle) this.#known.delete(id);
  }
}
