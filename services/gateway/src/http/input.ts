import { setImmediate as turn } from 'node:timers/promises';
import { check, closed, type Fault, type Operation } from '@messaging-gateway/contracts';
import { invalid, Refused } from '@messaging-gateway/messaging';
import type { TSchema } from 'typebox';

/** A request as its contract has it. */
export interface Input {
  readonly params: Record<string, string>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
}

const nothing = closed({});

/** Checks requests of one operation. */
export function inputCheck(operation: Operation): (given: Input) => Input {
  const query = operation.query ?? nothing;
  return (given) => {
    const params = { ...given.params };
    if (operation.params !== undefined && check(operation.params, params, 'params', true).length > 0) {
      throw new Refused('NOT_FOUND', 'There is no such thing.');
    }
    const read = { ...given.query };
    const body = bodyOf(operation, given.body);
    const faults = [...check(query, read, 'query', true), ...nulFaults(read), ...bodyFaults(operation, body)];
    if (faults.length > 0) throw invalid(faults);
    return { params, query: read, body: operation.body === undefined ? undefined : body };
  };
}

/** No text of the database holds a NUL, so nothing can be looked for by one. */
const nulFaults = (query: Readonly<Record<string, unknown>>): Fault[] =>
  Object.entries(query).flatMap(([name, value]) =>
    [value].flat().some((text) => typeof text === 'string' && text.includes('\0'))
      ? [{ path: `query.${name}`, message: 'must not hold the character NUL' }]
      : [],
  );

/** An absent body counts as an empty object, so that the fields it lacks are named. */
const bodyOf = (operation: Operation, body: unknown): unknown =>
  body === undefined && operation.body !== undefined && operation.bodyOptional !== true ? {} : body;

function bodyFaults(operation: Operation, body: unknown): Fault[] {
  if (body === undefined) return [];
  return check(operation.body ?? nothing, body, 'body');
}

/**
 * Compiles what requests are checked with, so that the first one of each route need not: a second for all routes
 * together. Other work gets its turn in between.
 */
export async function compileInputChecks(operations: readonly Operation[]): Promise<void> {
  const compile = (schema: TSchema | undefined, coerce: boolean): void => {
    if (schema !== undefined) check(schema, {}, 'start', coerce);
  };
  for (const { params, query = nothing, body = nothing } of operations) {
    compile(params, true);
    compile(query, true);
    compile(body, false);
    await turn();
  }
}
