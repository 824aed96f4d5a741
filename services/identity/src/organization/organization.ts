import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';

export interface Founding {
  readonly organizationId: string;
  readonly ownerId: string;
  readonly name: string;
}
export type OrganizationEvent = { type: 'OrganizationFounded'; data: Founding };
export type OrganizationCommand = { type: 'Found' } & Founding;
export type Organization = { readonly status: 'unknown' } | ({ readonly status: 'founded' } & Founding);

/** A tenant. */
export const organization: Decider<Organization, OrganizationCommand, OrganizationEvent> = {
  initial: { status: 'unknown' },
  decide: ({ organizationId, ownerId, name }, state) =>
    state.status === 'unknown' ? [{ type: 'OrganizationFounded', data: { organizationId, ownerId, name } }] : [],
  evolve: (_, event) => ({ status: 'founded', ...event.data }),
};

export const organizationStream: StreamType<Organization, OrganizationCommand, OrganizationEvent> = {
  name: 'organization',
  decider: organization,
  events: { OrganizationFounded: { version: 1, personal: ['name'] } },
};
