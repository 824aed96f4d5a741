import type { FakePushService } from '@messaging-gateway/testing';
import type { SimulatorProcess } from '../simulator-process.ts';
import type { Standalone } from '../standalone.ts';

/** Where a part measures. */
export interface Place {
  readonly network: SimulatorProcess;
  /** A new one: nobody is registered yet. */
  readonly installation: Standalone;
  /** The installation trusts its certificate. */
  readonly pushService: FakePushService;
}

/** Measures one of the things that insights does. */
export type Part = (place: Place) => Promise<{ readonly figures: unknown; readonly lines: readonly string[] }>;
