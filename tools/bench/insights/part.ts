import type { SimulatorProcess } from '../simulator-process.ts';
import type { Standalone } from '../standalone.ts';

/** Where a part measures. */
export interface Place {
  readonly network: SimulatorProcess;
  /** Nobody is registered yet, unless a part before has done it. */
  readonly installation: Standalone;
}

/** Measures one of the things that insights does. */
export type Part = (place: Place) => Promise<{ readonly figures: unknown; readonly lines: readonly string[] }>;
