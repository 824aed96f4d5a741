// A process that takes so many milliseconds to stop, that breaks, or that goes on speaking: see `ending.test.ts`.
import { setTimeout as delay } from 'node:timers/promises';
import { endInOrder } from './ending.ts';

const [stopMs = '0', breaks = '', speaks = ''] = process.argv.slice(2);
const say = (message: string, fields?: object): void =>
  void process.stdout.write(`${message} ${JSON.stringify(fields ?? {})}\n`);

endInOrder(
  async () => {
    await delay(Number(stopMs));
    say('stopped');
  },
  { info: say, error: say },
);
setInterval(() => undefined, 1_000);
say('running');
if (speaks !== '')
  setInterval(() => {
    say('speaking');
    process.stderr.write('speaking\n');
  }, 20);
if (breaks !== '') void Promise.reject(new Error(breaks));
