import { ModernFakeTimers } from '@jest/fake-timers';

/** OpenTelemetry's providers, which a test file may have set. */
const telemetry = Symbol.for('opentelemetry.js.api.1');

/** A file whose failed tests took longer than this together stands in a world that is broken: the rest would only wait, too. */
const longestFailuresMs = 300_000;

/** Test files run in the process of their worker, as programs do; what a file has changed there is taken back behind it. */
export default class ProcessOfTheWorker {
  /** Where Jest puts the console of a file. */
  global = {};
  fakeTimers = null;
  fakeTimersModern;
  #console = globalThis.console;
  #variables = { ...process.env };
  #listeners = signalListeners();
  #failuresMs = 0;

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
  }

  /** Of jest-circus. */
  handleTestEvent({ name, test }) {
    if (name === 'test_done' && test.errors.length > 0) this.#failuresMs += test.duration ?? 0;
    if (name === 'test_start' && this.#failuresMs > longestFailuresMs) test.mode = 'skip';
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}

function signalListeners() {
  const signals = process.eventNames().filter((name) => String(name).startsWith('SIG'));
  return signals.flatMap((signal) => process.listeners(signal).map((listener) => [signal, listener]));
}
