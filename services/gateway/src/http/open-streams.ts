import { Refused } from '@messaging-gateway/messaging';

/** Event streams of an organization at one gateway, at most. */
const most = 100;

/** Counts the event streams that are open here, so that one organization does not take all connections. */
export class OpenStreams {
  readonly #open = new Map<string, number>();

  /** @returns says that it is over; @throws Refused RATE_LIMITED */
  enter(organizationId: string): () => void {
    const open = this.#open.get(organizationId) ?? 0;
    if (open >= most)
      throw new Refused(
        'RATE_LIMITED',
        `The organization has ${most} event streams open here, which is the most: close one before the next.`,
        undefined,
        { 'Retry-After': '10' },
      );
    this.#open.set(organizationId, open + 1);
    return () => {
      const left = (this.#open.get(organizationId) ?? 1) - 1;
      if (left === 0) this.#open.delete(organizationId);
      else this.#open.set(organizationId, left);
    };
  }
}
