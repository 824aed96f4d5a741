/** Samples that are listened to, each second: of one channel, 16 bits, the lower byte first. */
export const heardRate = 8_000;
const sampleBytes = 2;
/** Bars that phones draw beside a voice note. */
const bars = 64;
const loudest = 100;
/** Samples that are one moment: a hundredth of a second. */
const momentSamples = heardRate / 100;

/** Listens to sound as it comes, and keeps its loudness by the moment. */
export class Loudness {
  /** Sums of loudness, by moment. */
  readonly #moments: number[] = [];
  #samples = 0;
  /** The first half of a sample whose second half is still to come. */
  #half: Buffer = Buffer.alloc(0);

  get seconds(): number {
    return this.#samples / heardRate;
  }

  hear(part: Buffer): void {
    const bytes = this.#half.length === 0 ? part : Buffer.concat([this.#half, part]);
    const whole = bytes.length - (bytes.length % sampleBytes);
    for (let at = 0; at < whole; at += sampleBytes) {
      const moment = Math.floor(this.#samples / momentSamples);
      this.#moments[moment] = (this.#moments[moment] ?? 0) + Math.abs(bytes.readInt16LE(at));
      this.#samples += 1;
    }
    this.#half = Buffer.from(bytes.subarray(whole));
  }

  /** 64 bytes from 0 to 100, the loudest part 100; of silence all 0. */
  waveform(): Buffer {
    const count = this.#moments.length;
    const heard = Array.from({ length: bars }, (_, bar) => {
      const from = Math.floor((bar * count) / bars);
      const part = this.#moments.slice(from, Math.max(from + 1, Math.floor(((bar + 1) * count) / bars)));
      return part.reduce((sum, moment) => sum + moment, 0) / Math.max(1, part.length);
    });
    const most = Math.max(...heard);
    return Buffer.from(heard.map((mean) => (most === 0 ? 0 : Math.round((loudest * mean) / most))));
  }
}
