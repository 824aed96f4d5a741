/** Names the text of a message whose way is followed. */
export const markHeader = 'x-walk';

/** Where a function is. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** That a function began, or with `isEnd` that it gave back the text. */
interface Step {
  /** `main`: for the request; `beside`: for those who hear of it meanwhile; `none`: for something else. */
  readonly flow: 'main' | 'beside' | 'none';
  /** The text was in what it was given, or in what it gave back. */
  readonly isHolding: boolean;
  readonly isEnd?: true;
}

/** One way while it is walked; functions have numbers. */
export interface Recording {
  readonly text: string;
  readonly ran: (Step & { readonly id: number })[];
}

/** One way, from the request until it was answered. */
export interface Recorded {
  readonly status: number;
  readonly ran: readonly (Step & Place)[];
}
