/** The network's codes, of whole requests and of single participants. */
export const REFUSED = {
  unauthorized: 401,
  forbidden: 403,
  unknown: 404,
  notAcceptable: 406,
  conflict: 409,
  gone: 410,
} as const;

/** Refusal of a change of a group, with the network's code for it. */
export class GroupRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
