import type { EventBus } from '@messaging-gateway/messaging';

const patienceMs = 170_000;

/** Watches what a service does with the events that it is given. */
export class Deliveries {
  readonly #handled = new Set<string>();
  readonly #failures = new Map<string, unknown>();
  readonly #waiting = new Map<string, { resolve: () => void; reject: (error: unknown) => void }>();
  #kinds = new Set<string>();

  /** The bus as the service sees it. */
  watch(bus: EventBus): EventBus {
    return {
      publishFrom: (source) => bus.publishFrom(source),
      consumedUpTo: (schema) => bus.consumedUpTo?.(schema) ?? [],
      subscribe: (subscription) => {
        this.#kinds = new Set(subscription.kinds);
        return bus.subscribe({
          ...subscription,
          handler: async (event) => {
            await subscription.handler(event).catch((error: unknown) => {
              this.#failures.set(event.id, error);
              throw error;
            });
            this.#handled.add(event.id);
            this.#waiting.get(event.id)?.resolve();
          },
          onGivenUp: (givenUp) => {
            subscription.onGivenUp?.(givenUp);
            this.#waiting.get(givenUp.event.id)?.reject(this.#failures.get(givenUp.event.id));
          },
        });
      },
    };
  }

  takes(kind: string): boolean {
    return this.#kinds.has(kind);
  }

  /** Resolves when the service has handled the event; rejects with the handler's error when it was given up. */
  async settled(id: string): Promise<void> {
    if (this.#handled.has(id)) return;
    await new Promise<void>((resolve, reject) => {
      const late = (): void =>
        reject(new Error('The service has not handled the event in time.', { cause: this.#failures.get(id) }));
      const timer = setTimeout(late, patienceMs);
      const end =
        <A extends unknown[]>(settle: (...given: A) => void) =>
        (...given: A): void => {
          clearTimeout(timer);
          this.#waiting.delete(id);
          settle(...given);
        };
      this.#waiting.set(id, { resolve: end(resolve), reject: end(reject) });
    });
  }
}
