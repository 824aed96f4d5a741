import { setTimeout as delay } from 'node:timers/promises';
import { ModernFakeTimers } from '@jest/fake-timers';

/** OpenTelemetry's providers, which a test file may have set. */
const telemetry = Symbol.for('opentelemetry.js.api.1');

/** After failed tests that took this long in total the other tests of the file are skipped: most would only time out, too. */
const maxFailuresMs = 300_000;
/** Time for sockets and processes to close after the last test of a file. */
const closingMs = 5_000;

/** Runs test files in the process of their worker. Restores what a file has changed in it, and fails the file that leaves something open. */
export default class WorkerEnvironment {
  /** Jest puts the console of the file here. */
  global = {};
  fakeTimers = null;
  fakeTimersModern;
  #console = globalThis.console;
  #variables = { ...process.env };
  #listeners = signalListeners();
  #failuresMs = 0;
  #open = openResources();

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    globalThis.console = this.global.console;
  }

  async teardown() {
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    for (const [signal, listener] of signalListeners())
      if (!this.#listeners.some(([, known]) => known === listener)) process.off(signal, listener);
    delete globalThis[telemetry];
    globalThis.console = this.#console;
    this.fakeTimersModern.dispose();
    await this.#assertClosed();
  }

  async #assertClosed() {
    const isMore = ([kind, count]) => count > (this.#open.get(kind) ?? 0);
    for (const until = performance.now() + closingMs; ; await delay(20)) {
      const left = [...openResources()].filter(isMore);
      if (left.length === 0) return;
      if (performance.now() > until)
        throw new Error(
          `Left open after the last test: ${left.map(([kind, count]) => `${count} ${kind}`).join(', ')}.`,
        );
    }
  }

  /** Of jest-circus. */
  handleTestEvent({ name, test }) {
    if (name === 'test_done' && test.errors.length > 0) this.#failuresMs += test.duration ?? 0;
    if (name === 'test_start' && this.#failuresMs > maxFailuresMs) test.mode = 'skip';
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}

/** Timers, some of which the network library leaves to end by themselves, and the streams of this process, which open when they are first used. */
const uncounted = ['Timeout', 'PipeWrap'];

/** Numbers by kind of what keeps the process alive: sockets, servers, child processes. */
function openResources() {
  const counts = new Map();
  for (const kind of process.getActiveResourcesInfo())
    if (!uncounted.includes(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

function signalListeners() {
  const signals = process.eventNames().filter((name) => String(name).startsWith('SIG'));
  return signals.flatMap((signal) => process.listeners(signal).map((listener) => [signal, listener]));
}
