interface Step<Place> {
  place: Place;
  open: number;
  /** Places that this step stands for: what was handled behind it has been put together with it. */
  count: number;
  /** When it was begun, milliseconds of the process's own clock. */
  readonly at: number;
  before: Step<Place> | undefined;
  behind: Step<Place> | undefined;
}

/**
 * How far a consumer has come: the place up to which everything was handled, though later ones may be done before. Its
 * memory grows with the events that are not handled, not with their distance.
 */
export class Progress<Place> {
  #first: Step<Place> | undefined;
  #last: Step<Place> | undefined;
  #handled: Place | undefined;
  #open = 0;
  #distance = 0;

  constructor(from: Place | undefined) {
    this.#handled = from;
  }

  /** Everything up to here was handled. */
  get place(): Place | undefined {
    return this.#handled;
  }

  /** Events that are not handled. */
  get unfinished(): number {
    return this.#open;
  }

  /** Places from the first one that is not handled to the last that was begun: what a crash repeats. */
  get distance(): number {
    return this.#distance;
  }

  /** How long the oldest event that is not handled has been in hand, milliseconds. 0: there is none. */
  get ageMs(): number {
    return this.#first === undefined ? 0 : performance.now() - this.#first.at;
  }

  /** @returns call it as each of the `count` events at this place was handled; it tells whether `place` moved */
  begin(place: Place, count: number): () => boolean {
    const step: Step<Place> = {
      place,
      open: count,
      count: 1,
      at: performance.now(),
      before: this.#last,
      behind: undefined,
    };
    if (this.#last === undefined) this.#first = step;
    else this.#last.behind = step;
    this.#last = step;
    this.#open += count;
    this.#distance += 1;
    return () => {
      this.#open -= 1;
      step.open -= 1;
      return step.open === 0 && this.#finish(step);
    };
  }

  /** Notes that nothing up to a place concerns this consumer. */
  skipTo(place: Place): void {
    if (this.#first === undefined) this.#handled = place;
  }

  #finish(step: Step<Place>): boolean {
    const { before, behind } = step;
    if (behind?.open === 0) this.#merge(step, behind);
    if (before === undefined) return this.#advance(step);
    if (before.open === 0) this.#merge(before, step);
    return false;
  }

  /** Two neighbours that are done become one. */
  #merge(step: Step<Place>, next: Step<Place>): void {
    step.place = next.place;
    step.count += next.count;
    step.behind = next.behind;
    if (next.behind === undefined) this.#last = step;
    else next.behind.before = step;
  }

  #advance({ place, count, behind }: Step<Place>): boolean {
    this.#handled = place;
    this.#distance -= count;
    this.#first = behind;
    if (behind === undefined) this.#last = undefined;
    else behind.before = undefined;
    return true;
  }
}
