// A process that the runtime warns: see `warnings.test.ts`.
import { logWarnings } from './warnings.ts';

const say = (level: string) => (message: string, fields?: Readonly<Record<string, unknown>>) =>
  void process.stdout.write(`${JSON.stringify({ level, message, ...fields })}\n`);

logWarnings({ debug: say('debug'), warn: say('warn') });
process.emitWarning('something leaks', 'LeakWarning');
setTimeout(() => undefined, -5);
