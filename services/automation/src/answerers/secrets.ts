import type { EncryptionKeys } from '@messaging-gateway/runtime';

/** A secret of a tenant as definitions keep it: sealed with the installation's key, for this organization only. */
export const sealSecret = (encryption: EncryptionKeys, organizationId: string, secret: string): string =>
  encryption.seal(Buffer.from(secret), bound(organizationId)).toString('base64');

/** @throws Error when the installation does not know the key any more */
export const openSecret = (encryption: EncryptionKeys, organizationId: string, sealed: string): string =>
  encryption.open(Buffer.from(sealed, 'base64'), bound(organizationId)).toString();

const bound = (organizationId: string): string => `automation secret of ${organizationId}`;
