import type { EventContract, InternalOperation, Operation } from './contract.ts';
import * as eventModules from './events/index.ts';
import * as internalModules from './internal/index.ts';
import * as operationModules from './operations/index.ts';

interface Kinds {
  readonly operation: Operation;
  readonly internal: InternalOperation;
  readonly event: EventContract;
}

const ofKind = <K extends keyof Kinds>(modules: Record<string, unknown>, kind: K): readonly Kinds[K][] =>
  Object.values(modules).filter((value): value is Kinds[K] => (value as { kind?: string } | undefined)?.kind === kind);

/** Every route of the REST API. */
export const operations = ofKind(operationModules, 'operation');
/** Requests between services. */
export const internalOperations = ofKind(internalModules, 'internal');
/** Facts told to everyone. */
export const events = ofKind(eventModules, 'event');
