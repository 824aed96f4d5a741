/** Texts as points in a space, in which those lie near each other that mean the same. */
export interface Embeddings {
  /** The model for the texts of an organization; undefined: there is none. */
  readonly modelOf: (organizationId: string) => Promise<string | undefined>;
  /**
   * A vector for each text, in their order and all of one length.
   *
   * @throws Refused when the provider fails, or has no such model
   */
  readonly embed: (
    organizationId: string,
    texts: readonly string[],
    model: string,
  ) => Promise<readonly (readonly number[])[]>;
}

/** Of an installation without a model. */
export const noEmbeddings: Embeddings = {
  modelOf: () => Promise.resolve(undefined),
  embed: () => Promise.reject(new Error('There is no model for embeddings.')),
};
