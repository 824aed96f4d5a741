import { events } from '@messaging-gateway/contracts';

const owners = new Map<string, ReadonlySet<string>>(
  events.map(({ type, owner, alsoToldBy = [] }) => [type, new Set<string>([owner, ...alsoToldBy])]),
);

/** Whether a service can tell a kind. A kind that is in no catalogue may come from anywhere. */
export const mayTell = (service: string, kind: string): boolean => owners.get(kind)?.has(service) ?? true;

/** Whether a kind can come from another service than this one. */
export function toldByOthers(service: string, kind: string): boolean {
  const known = owners.get(kind);
  return known === undefined || [...known].some((owner) => owner !== service);
}
