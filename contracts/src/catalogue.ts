import type { Command, EventContract, InternalOperation, Operation } from './contract.ts';
import * as commandModules from './commands/index.ts';
import * as eventModules from './events/index.ts';
import * as internalModules from './internal/index.ts';
import * as operationModules from './operations/index.ts';

const ofKind = <T>(modules: Record<string, unknown>, kind: string): readonly T[] =>
  Object.values(modules).filter((value): value is T => (value as { kind?: string } | undefined)?.kind === kind);

/** Every route of the REST API. */
export const operations = ofKind<Operation>(operationModules, 'operation');
/** Requests between services. */
export const internalOperations = ofKind<InternalOperation>(internalModules, 'internal');
/** Orders to one owner. */
export const commands = ofKind<Command>(commandModules, 'command');
/** Facts told to everyone. */
export const events = ofKind<EventContract>(eventModules, 'event');
