/** Remembers the last ids, at least `capacity` and at most twice as many, in constant time. */
export class RecentIds {
  private readonly capacity: number;
  private young = new Set<string>();
  private old = new Set<string>();

  constructor(capacity = 20_000) {
    this.capacity = capacity;
  }

  has(id: string): boolean {
    return this.young.has(id) || this.old.has(id);
  }

  delete(id: string): void {
    this.young.delete(id);
    this.old.delete(id);
  }

  add(id: string): void {
    this.young.add(id);
    if (this.young.size < this.capacity) return;
    this.old = this.young;
    this.young = new Set();
  }
}
