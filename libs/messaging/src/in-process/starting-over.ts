import type { Logger } from '@messaging-gateway/runtime';

/** How soon it is tried again, milliseconds. */
const retryMs = 500;

/** Changes of what belongs together, one after the other, and its beginning anew among them. */
export interface StartingOver {
  /** Runs a change when those before it are done. */
  inTurn(work: () => Promise<void>): Promise<void>;
  /** Begins anew, until it succeeds. Asked for again meanwhile: once more. */
  again(): void;
}

export function startingOver(startOver: () => Promise<void>, log: Logger): StartingOver {
  let last: Promise<unknown> = Promise.resolve();
  let isDue = false;
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const again = (): void => {
    isDue = true;
    inTurn(async () => {
      if (!isDue) return;
      isDue = false;
      await startOver();
    }).catch((error: unknown) => {
      log.warn('Events do not go on yet', { reason: String(error) });
      setTimeout(again, retryMs).unref();
    });
  };
  return { inTurn, again };
}
