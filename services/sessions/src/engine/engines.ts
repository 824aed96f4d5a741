import { Refused } from '@messaging-gateway/messaging';
import { engineKinds, type Capability, type Engine, type EngineKind } from './engine.ts';

/** The engines of this installation, and which one a profile gets. */
export interface Engines {
  /** The engine of profiles that name none. */
  readonly defaultKind: EngineKind;
  /** @throws Refused ENGINE_UNSUPPORTED when this installation cannot run it */
  of(kind: EngineKind): Engine;
}

/** Engines that this installation can run. */
export const runnableKinds: readonly EngineKind[] = engineKinds.filter((kind) => kind === 'socket-engine');

/**
 * The engine of profiles that name none: `DEFAULT_ENGINE`, else the first of `engineKinds` that
 * this installation can run.
 */
export const defaultEngineKind = (preferred: EngineKind | undefined): EngineKind =>
  preferred ?? runnableKinds[0] ?? 'socket-engine';

/** Puts the engines behind their kinds. */
export function enginesOf(available: readonly Engine[], preferred: EngineKind | undefined): Engines {
  const byKind = new Map(available.map((engine) => [engine.kind, engine]));
  return {
    defaultKind: defaultEngineKind(preferred),
    of: (kind) => {
      const engine = byKind.get(kind);
      if (engine === undefined) throw new Refused('ENGINE_UNSUPPORTED', `This installation cannot run the ${kind}.`);
      return engine;
    },
  };
}

/** @throws Refused ENGINE_UNSUPPORTED when the engine cannot do it */
export function requireCapability(engine: Engine, capability: Capability): void {
  if (!engine.capabilities.has(capability))
    throw new Refused('ENGINE_UNSUPPORTED', `The ${engine.kind} cannot do this: ${capability}.`);
}
