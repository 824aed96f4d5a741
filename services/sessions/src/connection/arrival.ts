/** How long a profile that was taken over may be away before that is told, and requests are held, milliseconds. */
const handOverMs = 10_000;

/** A profile that was taken over from another replica, on its way: requests wait for it instead of being refused. */
export class Arrival {
  #awaited: PromiseWithResolvers<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Also again: whoever waits goes on waiting. @param onLate called when it has not arrived in time */
  expect(onLate: () => void): void {
    clearTimeout(this.#timer);
    this.#awaited ??= Promise.withResolvers<void>();
    this.#timer = setTimeout(() => {
      this.settle();
      onLate();
    }, handOverMs).unref();
  }

  /** It is connected, or is known not to be. */
  settle(): void {
    clearTimeout(this.#timer);
    this.#awaited?.resolve();
    this.#awaited = undefined;
  }

  /** Resolves at once when nothing is on its way. */
  async settled(): Promise<void> {
    await this.#awaited?.promise;
  }
}
