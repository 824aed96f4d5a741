import type { EncryptionKeys } from './encryption.ts';

/**
 * Settings with secrets as one service hands them to another: brokers and whoever reads along see a ciphertext, which is
 * of no use for another organization.
 *
 * @returns base64
 * @see docs/decisions/0780-settings-are-handed-over-sealed.md
 */
export const sealedFor = (encryption: EncryptionKeys, organizationId: string, settings: object): string =>
  encryption.seal(Buffer.from(JSON.stringify(settings)), boundTo(organizationId)).toString('base64');

/** @throws Error when it was changed, is of another organization, or made with a key that is not known */
export const openedFor = (encryption: EncryptionKeys, organizationId: string, sealed: string): object =>
  JSON.parse(encryption.open(Buffer.from(sealed, 'base64'), boundTo(organizationId)).toString()) as object;

const boundTo = (organizationId: string): string => `settings of ${organizationId}`;
