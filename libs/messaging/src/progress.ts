interface Step<Place> {
  readonly place: Place;
  open: number;
}

/** How far a consumer has come: the place up to which everything was handled, though later ones may be done before. */
export class Progress<Place> {
  #steps: Step<Place>[] = [];
  #handled: Place | undefined;

  constructor(from: Place | undefined) {
    this.#handled = from;
  }

  /** Everything up to here was handled. */
  get place(): Place | undefined {
    return this.#handled;
  }

  get unfinished(): number {
    return this.#steps.length;
  }

  /** @returns call it as each of the `count` events at this place was handled; it tells whether `place` moved */
  begin(place: Place, count: number): () => boolean {
    const step: Step<Place> = { place, open: count };
    this.#steps.push(step);
    return () => {
      step.open -= 1;
      return this.#advance();
    };
  }

  /** Nothing concerns this consumer up to here. */
  skipTo(place: Place): void {
    if (this.#steps.length === 0) this.#handled = place;
  }

  #advance(): boolean {
    let finished = 0;
    while (this.#steps[finished]?.open === 0) finished += 1;
    const last = this.#steps[finished - 1];
    if (last === undefined) return false;
    this.#steps.splice(0, finished);
    this.#handled = last.place;
    return true;
  }
}
