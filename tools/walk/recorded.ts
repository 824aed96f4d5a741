/** Names the text of a message whose way is followed. */
export const markHeader = 'x-walk';

/** Where a function is. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** The beginning of a function, or with `isEnd` its end. */
export interface Step {
  /** `main`: for the request; `beside`: for those who hear of it meanwhile; `none`: for something else. */
  readonly flow: 'main' | 'beside' | 'none';
  /** The text was in what it was given, or in what it gave back. */
  readonly isHolding: boolean;
  readonly isEnd?: true;
  /** Where it was called: `file:line:column` of the program, or `library`; absent behind a queue. */
  readonly from?: string;
}

/** One way while it is walked; functions have numbers. */
export interface Recording {
  readonly text: string;
  /** With the stack on which a function began: it becomes a text only when the way is written down. */
  readonly ran: (Omit<Step, 'from'> & { readonly id: number; readonly stack?: Error })[];
}

/** One way, from the request until it was answered. */
export interface Recorded {
  readonly status: number;
  readonly ran: readonly (Step & Place)[];
}
