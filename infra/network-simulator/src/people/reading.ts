/** Messages that a simulated phone has yet to decrypt, in the order in which they came. */
export class Reading {
  private waiting: (() => Promise<void>)[] = [];
  private finishing: Promise<void> | undefined;

  putOff(work: () => Promise<void>): void {
    this.waiting.push(work);
  }

  /** Resolves when nothing is left to decrypt; at once when nothing waits. */
  async finish(): Promise<void> {
    if (this.waiting.length === 0 && this.finishing === undefined) return;
    this.finishing ??= this.workThrough();
    await this.finishing;
  }

  private async workThrough(): Promise<void> {
    while (this.waiting.length > 0) {
      const works = this.waiting;
      this.waiting = [];
      for (const work of works) await work();
    }
    this.finishing = undefined;
  }
}
