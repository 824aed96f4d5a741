import vm from 'node:vm';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Stands for the context that Jest itself runs in. */
const here = vm.createContext();

/** OpenTelemetry's providers, which a test file may have set. */
const telemetry = Symbol.for('opentelemetry.js.api.1');

/**
 * All test files run in Jest's own context, not each in a new one: errors and arrays of Node and of packages are then
 * instances of what tests know, and packages are loaded once for many files (`jest-runtime.mjs`).
 * @see docs/decisions/0393-tests-share-packages.md
 */
export default class SharedContext {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern;
  #console = globalThis.console;
  #variables = { ...process.env };
  #listeners = signalListeners();

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  /** Takes back what a file has changed for those after it. */
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
    return here;
  }
}

function signalListeners() {
  const signals = process.eventNames().filter((name) => String(name).startsWith('SIG'));
  return signals.flatMap((signal) => process.listeners(signal).map((listener) => [signal, listener]));
}

// Jest gives a context to each piece of code; `here` means none, which is what Node calls the main one.
const { SourceTextModule, SyntheticModule, compileFunction } = vm;
const { runInContext } = vm.Script.prototype;
const unlessHere = (options, name = 'context') =>
  options?.[name] === here ? { ...options, [name]: undefined } : options;

vm.SourceTextModule = class extends SourceTextModule {
  constructor(code, options) {
    super(code, unlessHere(options));
  }
};
vm.SyntheticModule = class extends SyntheticModule {
  constructor(names, evaluate, options) {
    super(names, evaluate, unlessHere(options));
  }
};
vm.compileFunction = (code, parameters, options) =>
  compileFunction(code, parameters, unlessHere(options, 'parsingContext'));
vm.Script.prototype.runInContext = function (context, options) {
  return context === here ? this.runInThisContext(options) : runInContext.call(this, context, options);
};
