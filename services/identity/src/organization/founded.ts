import type { Permission } from '@messaging-gateway/contracts';

/** Facts with which an organization begins. */
export interface Founding {
  readonly organizationId: string;
  readonly ownerId: string;
  readonly name: string;
}

/** A role that the organization has made. */
export interface CustomRole {
  readonly name: string;
  readonly description?: string;
  readonly permissions: readonly Permission[];
}

/** An organization as it stands. Its rules span members and roles, so it is one stream. */
export interface Founded extends Founding {
  readonly status: 'founded';
  /** Role ids by user id. */
  readonly members: Readonly<Record<string, string>>;
  /** By role id; the system roles are not among them. */
  readonly roles: Readonly<Record<string, CustomRole>>;
}
