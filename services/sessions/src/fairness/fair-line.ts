/** Waits in order within an organization; organizations are served one after the other, whoever has the most waiting. */
export class FairLine<Item extends object> {
  readonly #byOrganization = new Map<string, Set<{ readonly item: Item }>>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** @returns leaves the line; nothing when it was served */
  join(organizationId: string, item: Item): () => void {
    const place = { item };
    const waiting = this.#byOrganization.get(organizationId) ?? new Set();
    this.#byOrganization.set(organizationId, waiting.add(place));
    this.#length += 1;
    return () => this.#take(organizationId, place);
  }

  next(): Item | undefined {
    for (const [organizationId, waiting] of this.#byOrganization) {
      const [place] = waiting;
      if (place === undefined) continue;
      this.#take(organizationId, place);
      // To the end.
      if (this.#byOrganization.delete(organizationId)) this.#byOrganization.set(organizationId, waiting);
      return place.item;
    }
    return undefined;
  }

  clear(): void {
    this.#byOrganization.clear();
    this.#length = 0;
  }

  #take(organizationId: string, place: { readonly item: Item }): void {
    const waiting = this.#byOrganization.get(organizationId);
    if (waiting?.delete(place) !== true) return;
    this.#length -= 1;
    if (waiting.size === 0) this.#byOrganization.delete(organizationId);
  }
}
