/** The root of an error: the library wraps errors, and a failed commit can hide the failure that led to it. */
export function rootOf(error: unknown): unknown {
  const cause = (error as { readonly cause?: unknown } | undefined)?.cause;
  return cause === undefined || cause === null ? error : rootOf(cause);
}

/** Runs a request to the brokers; what it throws is the root of the failure. */
export async function asked<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw rootOf(error);
  }
}
