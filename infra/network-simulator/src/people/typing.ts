export const TYPING_STATES = ['composing', 'recording', 'paused'] as const;
export type TypingState = (typeof TYPING_STATES)[number];

/** Whether somebody is there; `lastSeen` in seconds since 1970, told of those who are not. */
export type PersonPresence = { state: 'available' | 'unavailable'; lastSeen?: number };

/** Somebody's typing, as seen on a phone. `from` is a number, `at` ISO 8601. */
export type SeenTyping = { from: string; state: TypingState; at: string };

const KEPT = 1000;

/** Typing of others as a simulated phone saw it, in order. */
export class Typing {
  private readonly all: SeenTyping[] = [];

  add(from: string, state: TypingState): void {
    this.all.push({ from, state, at: new Date().toISOString() });
    if (this.all.length > KEPT) this.all.shift();
  }

  seen(from?: string): SeenTyping[] {
    return this.all.filter((one) => from === undefined || one.from === from);
  }
}
