// Loaded into a process before its program (`--import`): writes down what runs between a request that is marked and its
// answer. The program itself knows nothing of it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Server, type IncomingMessage, type ServerResponse } from 'node:http';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contains } from './contains.ts';
import { instrumented } from './instrumented.ts';
import { markHeader, type Place, type Recorded, type Recording } from './recorded.ts';

const { WALK_ROOT: root = '', WALK_RECORDINGS: recordings = '' } = process.env;
/** The bus of events and who hears by it that a message was accepted, while it is sent. */
const hearing = /^libs\/messaging\/src\/in-process\/(?!operation)|^services\/(?!gateway\/|outbound\/|sessions\/)/;
mkdirSync(recordings, { recursive: true });

/** By its number, where a function is. */
const functions: Place[] = [];
/** The flow of a request, over all that is waited for; by `isBeside`, for those who only hear what happened. */
const flow = new AsyncLocalStorage<{ readonly recording: Recording; readonly isBeside: boolean }>();
/** The one request that is followed, until it is answered. */
let current: Recording | undefined;

const walk = {
  begins(id: number, parameters: readonly unknown[]): void {
    const recording = current;
    if (recording === undefined) return;
    const isHolding = contains(parameters, recording.text);
    follow(recording, id, isHolding);
    recording.ran.push({ id, flow: flowOf(recording), isHolding, stack: shortStack() });
  },
  gives<T>(id: number, value: T): T {
    const recording = current;
    if (recording === undefined) return value;
    const its = flowOf(recording);
    const see = (given: unknown): void => {
      if (current === recording && given !== undefined)
        recording.ran.push({ id, flow: its, isHolding: contains(given, recording.text), isEnd: true });
    };
    if (value instanceof Promise) void value.then(see, () => undefined);
    else see(value);
    return value;
  },
};
Object.assign(globalThis, { __walk: walk });

/** In whose flow the running code is; one that an earlier request has left behind is none. */
function flowOf(recording: Recording): 'main' | 'beside' | 'none' {
  const store = flow.getStore();
  if (store?.recording !== recording) return 'none';
  return store.isBeside ? 'beside' : 'main';
}

/**
 * Work that is done for many at once runs in no request's flow: it joins when the text arrives there. What those
 * do who hear of it is beside the way.
 */
function follow(recording: Recording, id: number, isHolding: boolean): void {
  const known = flowOf(recording);
  const isBeside = hearing.test(functions[id]?.file ?? '');
  if (known === 'none' ? isHolding : isBeside && known === 'main') flow.enterWith({ recording, isBeside });
}

/** As much of the stack as tells who called a function, past what packages and Node.js do in between. */
function shortStack(): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 6;
  const stack = new Error('stack');
  Error.stackTraceLimit = stackTraceLimit;
  return stack;
}

/** Where a function was called that began with this stack: `file:line:column`, `library` for a package, nothing for a queue. */
function calledFrom({ stack = '' }: Error): string | undefined {
  // Above it: what the error is called, this, what notes the step, and the function itself.
  for (const frame of stack.split('\n').slice(4)) {
    const place = /file:\/\/(\/[^)]+)/.exec(frame)?.[1];
    if (place === undefined) continue;
    const file = relative(root, place);
    return file.startsWith('..') || file.includes('node_modules/') ? 'library' : file;
  }
  return undefined;
}

registerHooks({
  load(url, context, load) {
    const path = url.startsWith('file:') ? fileURLToPath(url) : '';
    const file = relative(root, path);
    if (!/^(contracts|libs|services|infra)\/[^]*\.ts$/.test(file) || path.includes('/node_modules/'))
      return load(url, context);
    const source = stripTypeScriptTypes(readFileSync(path, 'utf8'));
    return {
      format: 'module',
      source: instrumented(source, (line) => functions.push({ file, line }) - 1),
      shortCircuit: true,
    };
  },
});

const { emit } = Server.prototype;
Server.prototype.emit = function (this: Server, name: string | symbol, ...values: unknown[]): boolean {
  const text = name === 'request' ? (values[0] as IncomingMessage).headers[markHeader] : undefined;
  // What is told of a message's way is no part of it.
  if (typeof text === 'string') delete (values[0] as IncomingMessage).headers[markHeader];
  if (typeof text !== 'string') return Reflect.apply(emit, this, [name, ...values]) as boolean;
  const recording: Recording = { text, ran: [] };
  const response = values[1] as ServerResponse;
  const end = response.end.bind(response) as (...parts: unknown[]) => ServerResponse;
  response.end = (...parts: unknown[]) => {
    current = undefined;
    write(recording, response.statusCode);
    return end(...parts);
  };
  current = recording;
  return flow.run({ recording, isBeside: false }, () => Reflect.apply(emit, this, [name, ...values]) as boolean);
};

function write({ text, ran }: Recording, status: number): void {
  const recorded: Recorded = {
    status,
    ran: ran.map(({ id, stack, ...step }) => {
      const from = stack === undefined ? undefined : calledFrom(stack);
      return { ...step, ...placeOf(id), ...(from === undefined ? {} : { from }) };
    }),
  };
  writeFileSync(join(recordings, `${text}.json`), JSON.stringify(recorded));
}

function placeOf(id: number): Place {
  const place = functions[id];
  if (place === undefined) throw new Error(`There is no function ${id}.`);
  return place;
}
