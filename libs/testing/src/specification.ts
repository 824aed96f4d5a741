import assert from 'node:assert/strict';
import type { Decider, DomainEvent } from '@messaging-gateway/event-sourcing';

/** The outcome that a command must lead to. Each line throws an AssertionError that shows the difference. */
interface Outcome<Event> {
  /** Exactly these events, in order. Absent fields and fields that are `undefined` count as equal. */
  then(...events: readonly Event[]): void;
  /** The command changes nothing. */
  thenNothing(): void;
  /** The command breaks a rule: `Refused` with this code. */
  thenRefused(code: string): void;
}

export interface Given<Command, Event> {
  when(command: Command): Outcome<Event>;
}

/**
 * Given these events, when this command, then those events: the form of every decider's test.
 *
 * @example
 * const given = specification(message);
 * given(accepted).when(confirm).then(sent);
 */
export function specification<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
): (...events: readonly Event[]) => Given<Command, Event> {
  return (...events) => ({
    when: (command) => {
      const decide = (): readonly Event[] =>
        decider.decide(
          command,
          events.reduce((state, event) => decider.evolve(state, event), decider.initial),
        );
      return {
        then: (...expected) => assert.deepEqual(withoutUndefined(decide()), withoutUndefined(expected)),
        thenNothing: () => assert.deepEqual(withoutUndefined(decide()), []),
        thenRefused: (code) => assert.throws(decide, (error) => refusedWith(error, code)),
      };
    },
  });
}

function refusedWith(error: unknown, code: string): true {
  if (!(error instanceof Error) || error.name !== 'Refused') throw error;
  assert.equal((error as Error & { code?: string }).code, code);
  return true;
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([key, field]) => [key, withoutUndefined(field)]),
  );
}
