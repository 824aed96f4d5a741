export { allowedAddress, hostFault, lookupFor } from './addresses.ts';
export { TargetRefused } from './policy.ts';
export type { TargetPolicy } from './policy.ts';
export { resolvedTargetFault, targetFault } from './target.ts';
