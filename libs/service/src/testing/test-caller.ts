import { permissions, type Caller } from '@messaging-gateway/contracts';
import { v7 } from 'uuid';

/** A person with all permissions in an organization of its own, unless told otherwise. */
export const testCaller = (differences: Partial<Caller> = {}): Caller => ({
  organizationId: v7(),
  userId: v7(),
  permissions,
  ...differences,
});
