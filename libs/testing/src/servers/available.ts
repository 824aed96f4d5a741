import { spawnSync } from 'node:child_process';
import { keeperState } from './keeper-client.ts';
import { rabbitMqPairAvailable } from './rabbitmq-pair.ts';
import type { BrokerKind, SecuredKind } from './server.ts';

/** Tests can have this server. Known at once, so that a file can decide which tests it declares. */
const serversAvailable = (...kinds: readonly BrokerKind[]): boolean =>
  kinds.every((kind) => missingLine(kind) === undefined);

/** Tests can have a server of this kind of their own, to kill and start (not where only a URL is given). */
export const ownServersAvailable = (...kinds: readonly BrokerKind[]): boolean =>
  kinds.every((kind) => keeperState().servers[kind].own);

/** Tests can have a server of this kind that takes connections with TLS. */
const securedAvailable = (kind: SecuredKind): boolean => kind === 'postgres' || keeperState().servers[kind].secured;

const missingLine = (kind: BrokerKind): string | undefined => keeperState().servers[kind].missing;

/** Jest's, as it gives them to every test file; this library is also used outside of Jest. */
const jest = globalThis as unknown as {
  describe: ((name: string, body: () => void) => void) & { skip(name: string, body: () => void): void };
};

/** `describe` of tests that need a server; they are skipped where there is none, and the test command says why. */
export function describeWith(kinds: BrokerKind | readonly BrokerKind[], name: string, body: () => void): void {
  const missing = [kinds].flat().find((kind) => !serversAvailable(kind));
  if (missing === undefined) jest.describe(name, body);
  else jest.describe.skip(`${name} (without ${missing})`, body);
}

/** `describe` of tests that kill and start servers of their own. */
export function describeWithOwn(kinds: BrokerKind | readonly BrokerKind[], name: string, body: () => void): void {
  const missing = [kinds].flat().find((kind) => !ownServersAvailable(kind));
  if (missing === undefined) jest.describe(name, body);
  else jest.describe.skip(`${name} (without ${missing} of its own)`, body);
}

/** `describe` of tests that start a RabbitMQ of two nodes, which only an installed one can be. */
export function describeWithRabbitMqPair(kinds: readonly BrokerKind[], name: string, body: () => void): void {
  if (rabbitMqPairAvailable()) describeWith(kinds, name, body);
  else jest.describe.skip(`${name} (without an installed RabbitMQ)`, body);
}

/** `describe` of tests that connect with TLS. */
export function describeWithSecured(kinds: readonly SecuredKind[], name: string, body: () => void): void {
  const missing = kinds.find((kind) => !securedAvailable(kind));
  if (missing === undefined) jest.describe(name, body);
  else jest.describe.skip(`${name} (without a secured ${missing})`, body);
}

/** A program of the system, and what it is asked to see whether it is there: `-version` unless named. */
export interface NeededProgram {
  readonly program: string;
  readonly asked: string;
}

/** `describe` of tests that need a program of the system; where all servers are required, so is it. */
export function describeWithProgram(needed: string | NeededProgram, name: string, body: () => void): void {
  const { program, asked } = typeof needed === 'string' ? { program: needed, asked: '-version' } : needed;
  const isRequired = process.env['TEST_SERVERS_REQUIRED'] === 'true';
  if (isRequired || spawnSync(program, [asked]).status === 0) jest.describe(name, body);
  else jest.describe.skip(`${name} (without ${program})`, body);
}
