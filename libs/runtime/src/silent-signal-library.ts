import { getCallSites } from 'node:util';

/**
 * Importing this module keeps the Signal library (`libsignal`, a dependency of the client library) from printing.
 * The library has no logger: it writes whole sessions, private keys included, to the global console.
 * From the import on, code of that library reads a console without output; all other code reads the real one.
 * The order in which this module and the library are loaded does not matter.
 */
const libraryFile = /[/\\]node_modules[/\\]libsignal[/\\]/;
const discard = (): void => undefined;
const withoutOutput = new Proxy(globalThis.console, { get: () => discard });

let real = globalThis.console;
Object.defineProperty(globalThis, 'console', {
  configurable: true,
  enumerable: false,
  get: () => {
    const [, reader] = getCallSites(2);
    return libraryFile.test(reader?.scriptName ?? '') ? withoutOutput : real;
  },
  set: (replacement: Console) => {
    real = replacement;
  },
});
