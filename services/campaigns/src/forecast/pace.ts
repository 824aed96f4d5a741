/** Pause of a broadcast between two messages, milliseconds. */
export interface Delays {
  readonly delayMin: number;
  readonly delayMax: number;
}

/** The gate that all messages of a profile pass one by one. */
export interface Gate {
  /** From one message to the next at least, milliseconds. */
  readonly messageDelayMs: number;
  /** From the release of a message until it is settled, milliseconds. */
  readonly sendMs: number;
}

const rounds = 20;
const shortest = 1;

/** From one message to the next of a broadcast that is alone, milliseconds on average: the gate, or sending and delay, if longer. */
export function paceAlone({ delayMin, delayMax }: Delays, { messageDelayMs: gate, sendMs }: Gate): number {
  const [least, most] = [sendMs + delayMin, sendMs + delayMax];
  if (gate <= least) return Math.max((least + most) / 2, shortest);
  if (gate >= most) return Math.max(gate, shortest);
  return ((gate - least) * gate + (most ** 2 - gate ** 2) / 2) / (most - least);
}

/**
 * From one message to the next of each of several broadcasts of one profile, milliseconds on average. A message meets one of
 * another broadcast at the gate as often as those come, and waits for it; when they want more than the gate lets through, they have
 * equal shares of it, as far as each wants its own.
 */
export function pacesTogether(all: readonly Delays[], gate: Gate): number[] {
  const alone = all.map((one) => paceAlone(one, gate));
  if (all.length < 2) return alone;
  const closed = Math.max(gate.messageDelayMs, gate.sendMs, shortest);
  let waits = alone.map(() => 0);
  const ratesOf = (): number[] => alone.map((pace, index) => 1 / (pace + (waits[index] ?? 0)));
  for (let round = 0; round < rounds; round += 1) {
    // Of each other one: what is left of its time at the gate, and all of it when it waits there too.
    const met = ratesOf().map((rate, index) => rate * closed * (closed / 2 + (waits[index] ?? 0)));
    const sum = met.reduce((total, one) => total + one, 0);
    waits = met.map((one) => sum - one);
  }
  return shared(ratesOf(), 1 / closed).map((rate) => 1 / rate);
}

/** Shares of a whole: one who wants less than an equal share has it; the others share the rest. */
function shared(wanted: readonly number[], whole: number): number[] {
  const given = wanted.map(() => 0);
  let left = whole;
  const order = wanted.map((_, index) => index).toSorted((one, other) => (wanted[one] ?? 0) - (wanted[other] ?? 0));
  for (const [position, index] of order.entries()) {
    const share = Math.min(wanted[index] ?? 0, left / (order.length - position));
    given[index] = share;
    left -= share;
  }
  return given;
}
