import { ModernFakeTimers } from '@jest/fake-timers';

/** OpenTelemetry's providers, which a test file may have set. */
const telemetry = Symbol.for('opentelemetry.js.api.1');

/** Test files run in the process of their worker, as programs do; what a file has changed there is taken back behind it. */
export default class ProcessOfTheWorker {
  /** Where Jest puts the console of a file. */
  global = {};
  fakeTimers = null;
  fakeTimersModern;
  #console = globalThis.console;
  #variables = { ...process.env };
  #listeners = signalListeners();

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
