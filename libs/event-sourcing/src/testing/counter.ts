import type { StreamType } from '../stream-type.ts';

/** A small stream type for this library's own tests: counts, and remembers a name that is personal. */
export type CounterEvent =
  | { type: 'Counted'; data: { by: number; name?: string } }
  | { type: 'Marked'; data: { mark: string } };
export type CounterCommand =
  | { type: 'Count'; by: number; name?: string; atMost?: number }
  | { type: 'CountTwice'; by: number }
  | { type: 'Mark'; mark: string };
export interface Counter {
  readonly total: number;
  readonly names: readonly string[];
  readonly marks: readonly string[];
}

export const counter: StreamType<Counter, CounterCommand, CounterEvent> = {
  name: 'counter',
  decider: {
    initial: { total: 0, names: [], marks: [] },
    decide: (command, state) => {
      switch (command.type) {
        case 'Count': {
          if (command.atMost !== undefined && state.total + command.by > command.atMost) throw new Error('Too much.');
          return [
            { type: 'Counted', data: { by: command.by, ...(command.name !== undefined && { name: command.name }) } },
          ];
        }
        case 'CountTwice':
          return [
            { type: 'Counted', data: { by: command.by } },
            { type: 'Counted', data: { by: command.by } },
          ];
        case 'Mark':
          return state.marks.includes(command.mark) ? [] : [{ type: 'Marked', data: { mark: command.mark } }];
      }
    },
    evolve: (state, event) => {
      switch (event.type) {
        case 'Counted': {
          const { by, name } = event.data;
          return {
            ...state,
            total: state.total + by,
            names: name === undefined ? state.names : [...state.names, name],
          };
        }
        case 'Marked':
          return { ...state, marks: [...state.marks, event.data.mark] };
      }
    },
  },
  events: { Counted: { version: 1, personal: ['name'] }, Marked: { version: 1 } },
};
