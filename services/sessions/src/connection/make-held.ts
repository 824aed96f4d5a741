import type { Lease, Leases } from '@messaging-gateway/leases';
import { HeldLease } from './held-lease.ts';
import type { HolderTools } from './holder-tools.ts';
import { Held } from './holder.ts';
import type { LoginTurns } from './login-turns.ts';
import { ProfileConnection } from './profile-connection.ts';
import type { ToHold } from './wanted-profiles.ts';

export interface Making {
  readonly with: HolderTools;
  readonly leases: Leases;
  readonly turns: LoginTurns;
  readonly onTakenOver: (held: Held) => void;
}

/**
 * A profile in the hand of its holder. Nothing is opened yet.
 *
 * @throws Refused ENGINE_UNSUPPORTED when this installation cannot run its engine
 */
export function makeHeld(profile: ToHold, claimed: Lease, making: Making): Held {
  const { tools, sessions, qrCodes, metrics, engines, downloads, sources } = making.with;
  const { store, media, clock, log, settings, spans } = tools;
  const lease = new HeldLease(claimed, making.leases, settings.isAlone);
  const engine = engines.of(profile.engine ?? engines.defaultKind);
  const connection = new ProfileConnection({
    lease,
    engine,
    sessions,
    qrCodes,
    store,
    clock,
    log,
    spans,
    media,
    sources,
    downloads,
    turns: making.turns,
    onSent: metrics.sent,
    onTakenOver: () => making.onTakenOver(held),
  });
  const held: Held = new Held(lease, connection, clock);
  if (profile.isComing === true) connection.expected();
  return held;
}
