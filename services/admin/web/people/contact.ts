import type { AnswerOf } from '../api/operations.ts';

export type Contact = AnswerOf<'GetContact'>;

/** Name of a contact: the one given here, the one of the network, the number; undefined where there is none of them. */
export const nameOf = ({ name, pushName, phone, lid }: Contact): string | undefined =>
  [name, pushName, phone === null ? null : `+${phone}`, lid].find((word) => word !== null && word.trim() !== '') ??
  undefined;
