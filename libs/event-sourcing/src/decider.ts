export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

/** Pure rules of a stream: time, ids and randomness come in with the command. */
export interface Decider<State, Command, Event extends DomainEvent> {
  readonly initial: State;
  /** Events that the command leads to; an empty list changes nothing. Throws for a broken rule. */
  decide(command: Command, state: State): readonly Event[];
  evolve(state: State, event: Event): State;
}
