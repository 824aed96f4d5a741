/** Tells the readers of this process that something was appended. Rings are joined: many appends, one call. */
export interface Doorbell {
  ring(): void;
  /** @returns stops listening */
  listen(listener: () => void): () => void;
}

export function doorbell(): Doorbell {
  const listeners = new Set<() => void>();
  let ringing = false;
  const call = (): void => {
    ringing = false;
    for (const listener of listeners) listener();
  };
  return {
    ring: () => {
      if (ringing || listeners.size === 0) return;
      ringing = true;
      setImmediate(call);
    },
    listen: (listener) => {
      // A listener of its own for each call, so that the same function can listen twice.
      const own = (): void => listener();
      listeners.add(own);
      return () => listeners.delete(own);
    },
  };
}
