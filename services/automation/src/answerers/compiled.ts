import type { AnswerOf, DataOf, DescribePerson, MessageReceived } from '@messaging-gateway/contracts';
import type { AnswererKind, Definition } from './answerer.ts';

/** An inbound message, as far as it is answered. */
export interface Incoming {
  readonly organizationId: string;
  readonly profileId: string;
  readonly isGroup: boolean;
  /** Text or caption; '' without one. */
  readonly text: string;
  /** When it was written, milliseconds since 1970. */
  readonly writtenAt: number;
  /** As it was told. */
  readonly told: DataOf<typeof MessageReceived>;
}

export type Person = AnswerOf<typeof DescribePerson>;

/** Of what a trigger was set off. */
export interface Match {
  /** The keyword as it was written, or what the pattern met. */
  readonly text: string;
  /** Groups of the pattern, from `{{1}}`. */
  readonly groups: readonly string[];
}

/** A step of a run: one of the actions of a flow, or what another kind of answerer does. JSON values only. */
export interface Action {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Facts about which a condition is asked. */
export interface Facts {
  /** Absent where the time itself sets it off. */
  readonly message?: Incoming;
  readonly person: Person;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** An answerer, ready to look at messages; made once for each version. */
export interface Compiled {
  /** Whether it answers in groups. */
  readonly groups: boolean;
  /** Whether others may look, too, when the answerer answers. */
  readonly continues: boolean;
  readonly cooldownSeconds: number;
  readonly actions: readonly Action[];
  readonly trigger: (message: Incoming) => Match | undefined;
  /** Whether it answers a message that does not set it off, as it has begun a dialogue in that chat. Absent: never. */
  readonly goesOn?: (message: Incoming, now: number) => Promise<boolean>;
  /** Each condition with its verdict; all must hold. Empty: nobody is asked who the person is. */
  readonly conditions: readonly { readonly condition: Definition; readonly holds: (facts: Facts) => boolean }[];
}

/** How a kind of answerer is read. */
export interface KindOfAnswerer<D extends Definition = Definition> {
  readonly kind: AnswererKind;
  readonly compile: (definition: D) => Compiled;
}
