// Compiles all services once, into the cache that the processes of tests share. Those that are killed leave nothing
// in it, and the first ones of a run start many at a time.
import { flushCompileCache } from 'node:module';

const at = (path) => new URL(`../${path}`, import.meta.url).href;
await import(at('libs/service/src/distributed/index.ts'));
await import(at('services/standalone/src/services.ts'));
await import(at('services/gateway/src/with-engines.ts'));
flushCompileCache();
process.exit(0);
