import type { Serving } from './serving.ts';

/** A route that this replica holds, or wants to hold, or has lost to a newer holder. */
export interface HeldRoute {
  readonly route: string;
  /** By operation. */
  readonly served: Map<string, Serving>;
  stamp: number;
  state: 'wanted' | 'bound' | 'lost';
  /** Bound before the connection was lost: it must give way to whoever came since. */
  isOld: boolean;
  establishing: Promise<void> | undefined;
  unbinding: Promise<void> | undefined;
}

export const nothingServedAt = (route: string): HeldRoute => ({
  route,
  served: new Map(),
  stamp: 0,
  state: 'lost',
  isOld: false,
  establishing: undefined,
  unbinding: undefined,
});
