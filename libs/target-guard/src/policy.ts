import type { Reach } from './address.ts';

export interface TargetPolicy {
  /** WEBHOOK_ALLOW_PRIVATE_TARGETS: targets in the own network are allowed; metadata services never are. */
  readonly allowPrivate: boolean;
}

export const isAllowed = (reach: Reach, policy: TargetPolicy): boolean =>
  reach === 'public' || (reach === 'private' && policy.allowPrivate);

/** A connection that the guard does not let through. */
export class TargetRefused extends Error {
  readonly code = 'TARGET_REFUSED';
  constructor(message: string) {
    super(message);
    this.name = 'TargetRefused';
  }
}
