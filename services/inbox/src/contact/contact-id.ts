import { namedUuids } from '@messaging-gateway/contracts';

const uuidOf = namedUuids('b3c5a9a4-6c0f-5a39-8c5d-3f2e1b9d7c60');

/** Owner of a contact: an organization, and there one profile or everybody. */
export interface ContactPlace {
  readonly organizationId: string;
  readonly profileId?: string | undefined;
}

/**
 * Id of a contact: derived, so that whoever makes the same one at the same moment, on any replica, makes it once.
 *
 * @param address digits of the phone, or `<id>@lid` while the phone is not known
 */
export const contactIdOf = ({ organizationId, profileId }: ContactPlace, address: string): string =>
  uuidOf(`${organizationId} ${profileId ?? ''} ${address}`);
