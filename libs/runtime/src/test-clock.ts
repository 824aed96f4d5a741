import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Clock } from './clock.ts';
import { clockOn } from './system-clock.ts';

/** A clock that tests move forward. It runs on by itself in between. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

/** A clock of this process alone. */
export function testClock(start = Date.now()): TestClock {
  const begun = Date.now();
  const listeners = new Set<() => void>();
  let jumped = 0;
  const clock = clockOn(
    () => start + jumped + (Date.now() - begun),
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  );
  const advance = (ms: number): void => {
    jumped += ms;
    for (const listener of listeners) listener();
  };
  return { ...clock, advance };
}

/**
 * A clock that several processes follow: the system's time plus the milliseconds that stand in a file.
 * A jump is seen within 50 ms. @returns the clock; `close` stops watching
 */
export function fileClock(path: string): Clock & { close(): void } {
  const listeners = new Set<() => void>();
  let offset = offsetIn(path);
  // Read and not watched: two writes within one tick of the file system's clock look the same to a watcher.
  const look = (): void => {
    const now = offsetIn(path);
    if (now === offset) return;
    offset = now;
    for (const listener of listeners) listener();
  };
  const timer = setInterval(look, 50).unref();
  const clock = clockOn(
    () => Date.now() + offset,
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  );
  return { ...clock, close: () => clearInterval(timer) };
}

/** Moves every clock that follows the file. The file is replaced at once: a reader never sees an empty one. */
export function moveFileClock(path: string, offsetMs: number): void {
  const draft = `${path}.draft`;
  writeFileSync(draft, String(offsetMs));
  renameSync(draft, path);
}

function offsetIn(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8').trim()) || 0;
  } catch {
    return 0;
  }
}
