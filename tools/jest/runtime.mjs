import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { setGlobals } from './globals.mjs';

const load = createRequire(import.meta.url);
const globals = new URL('globals.mjs', import.meta.url).href;

/** Number of the current test file. Part of its URL, so that running a file twice in a worker loads it twice. */
let file = 0;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: globals, format: 'module', shortCircuit: true };
    return next(specifier, context);
  },
});

/** `CHILD_MESSAGE_END` of jest-worker. */
const end = 2;

// A worker ends with its parent, and at once when Jest asks for it: what a file leaves open is found after the file, by the environment.
process
  .on('disconnect', () => process.exit(1))
  .on('message', ([kind]) => {
    if (kind === end) setImmediate(() => process.exit());
  });

/**
 * Jest's `runtime`, which loads test files: here Node.js loads them, as it loads programs. Everything that a test file imports
 * is loaded once for all files of a worker.
 * @see docs/decisions/0631-node-loads-the-tests.md
 */
export default class NodeRuntime {
  #environment;

  constructor(_, environment) {
    this.#environment = environment;
  }

  /** Jest's runner keeps the tests of a file: each file has one of its own. */
  requireInternalModule(path) {
    delete load.cache[path];
    return load(path);
  }

  setGlobalsForRuntime(values) {
    const timers = this.#environment.fakeTimersModern;
    const jest = {
      useFakeTimers: () => timers.useFakeTimers(),
      useRealTimers: () => timers.useRealTimers(),
      advanceTimersByTime: (milliseconds) => timers.advanceTimersByTime(milliseconds),
    };
    setGlobals({ ...values, jest });
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    file += 1;
    await import(`${pathToFileURL(path).href}?file=${file}`);
  }

  getSourceMaps() {
    return null;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  // What Jest tells one that counts on its own registry of modules.
  enterTestCode() {}
  leaveTestCode() {}
  resetModules() {}
  clearAllMocks() {}
  requireModule() {}
  teardown() {}
}
