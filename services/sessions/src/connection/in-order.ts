/** Runs one piece of work after the other; what fails holds up nothing behind it. */
export class InOrder {
  readonly #onFailure: (error: unknown) => void;
  #last: Promise<unknown> = Promise.resolve();

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const run = this.#last.then(work);
    this.#last = run.catch((error: unknown) => this.#onFailure(error));
    return run;
  }
}
