// A program that takes for ever to load: see `ending.test.ts`.
import { begin } from './beginning.ts';

begin();
process.stdout.write('running\n');
await new Promise(() => setInterval(() => undefined, 1_000));
