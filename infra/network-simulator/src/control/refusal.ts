/** Refusal of a request to the simulator, with a code for programs and a sentence for people. */
export class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
