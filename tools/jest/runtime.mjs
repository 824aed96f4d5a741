import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { setGlobals } from './globals.mjs';

const load = createRequire(import.meta.url);
const globals = new URL('globals.mjs', import.meta.url).href;

/** Files of tests, which are loaded anew for each test file, since they may declare tests and hold their state. */
const isAboutTests = /\.(test|suite|fixture|harness)\.ts$|\/(testing|suites|end-to-end)\/[^]*\.ts$/;
const isShared = /\/node_modules\/|\/libs\/testing\/src\//;

// A run that was ended leaves no worker behind.
process.once('disconnect', () => process.exit(1));

/** Number of the test file that runs; what is loaded anew for it has it in its URL. */
let file = 0;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: globals, format: 'module', shortCircuit: true };
    const found = next(specifier, context);
    if (!found.url.startsWith('file:') || isShared.test(found.url) || !isAboutTests.test(found.url)) return found;
    const [its = ''] = /\?file=\d+$/.exec(context.parentURL ?? '') ?? [];
    return { ...found, url: found.url + its };
  },
});

/**
 * Jest's `runtime`, which loads test files: here Node.js loads them, as it loads programs. What they try is loaded once
 * for all files of a worker, and so are packages.
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
