/** Texts as points in a space, in which those lie near each other that mean the same. */
export interface Embeddings {
  /** The model for the texts of an organization; undefined: there is none. */
  readonly modelOf: (organizationId: string) => Promise<string | undefined>;
  /**
   * A vector for each text, in their order and all of one length.
   *
   * @param signal ends the wait
   * @throws Refused when the provider fails, or has no such model
   */
  readonly embed: (
    organizationId: string,
    texts: readonly string[],
    model: string,
    signal?: AbortSignal,
  ) => Promise<readonly (readonly number[])[]>;
  /** Has somebody told when another model may be meant from now on. */
  readonly whenChanged?: (listener: (organizationId: string) => Promise<void>) => void;
}
