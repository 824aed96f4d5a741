import {
  DescribeProfile,
  normalizePhone,
  type AddContactTags,
  type Caller,
  type CreateContact,
  type UpdateContact,
  type DeleteContact,
} from '@messaging-gateway/contracts';
import { answer, type InputOf, type Reply } from '@messaging-gateway/service';
import type { ContactTools } from './tools.ts';
import { fullAt } from './counts.ts';
import { findContactSlot } from './contact-id.ts';
import { contactStream, type ContactCommand } from './contact.ts';
import { assertPlaceAllowed, findContact, type ShownContact } from './finding.ts';
import { assertMetadata, metadataOf } from './handling.ts';
import { getContact } from './listing.ts';

/** Makes a contact, or adds to the one that has the phone already. */
export async function createContact(tools: ContactTools, input: InputOf<typeof CreateContact>): Promise<Reply> {
  const { body, caller, context } = input;
  const { profileId, phone: written, ...given } = body;
  await requirePlace(tools, caller, profileId);
  assertMetadata(given.metadata);
  const phone = normalizePhone(written) as string;
  const { contactId } = await findContactSlot(
    tools.sql,
    { organizationId: caller.organizationId, profileId },
    { phone },
  );
  const full = await fullAt(tools.sql, caller.organizationId, tools.settings.contactQuota);
  const { events } = await tools.store.handle(
    contactStream,
    contactId,
    { type: 'Save', identity: { contactId, profileId, phone }, given, full },
    { metadata: metadataOf(input, profileId), onAppended: context.appended },
  );
  const shown = await getContact(tools, { ...input, params: { id: contactId } });
  const isNew = events.some((event) => event.type === 'ContactSaved' && event.data.change === 'created');
  return answer(isNew ? 201 : 200, shown);
}

/**
 * @returns the profile's status
 * @throws Refused NOT_FOUND for a profile that the organization does not have, FORBIDDEN outside those of an API key
 */
export async function requirePlace(
  tools: ContactTools,
  caller: Caller,
  profileId: string | undefined,
): Promise<string | undefined> {
  assertPlaceAllowed(caller, profileId);
  if (profileId === undefined) return undefined;
  const { status } = await tools.ask(DescribeProfile, { organizationId: caller.organizationId, profileId });
  return status;
}

export async function updateContact(tools: ContactTools, input: InputOf<typeof UpdateContact>): Promise<ShownContact> {
  assertMetadata(input.body.metadata);
  return change(tools, input, (contactId) => ({ type: 'Change', contactId, given: input.body }));
}

type Tagging = InputOf<typeof AddContactTags>;

export const addTags = (tools: ContactTools, input: Tagging): Promise<ShownContact> =>
  change(tools, input, (contactId) => ({ type: 'AddTags', contactId, tags: input.body.tags }));

export const removeTags = (tools: ContactTools, input: Tagging): Promise<ShownContact> =>
  change(tools, input, (contactId) => ({ type: 'RemoveTags', contactId, tags: input.body.tags }));

async function change(
  tools: ContactTools,
  input: Omit<InputOf<typeof DeleteContact>, 'body'>,
  commandOf: (contactId: string) => ContactCommand,
): Promise<ShownContact> {
  await handle(tools, input, commandOf);
  return getContact(tools, input);
}

/** @throws Refused NOT_FOUND */
export async function deleteContact(tools: ContactTools, input: InputOf<typeof DeleteContact>): Promise<void> {
  await handle(tools, input, (contactId) => ({ type: 'Delete', contactId }));
}

async function handle(
  tools: ContactTools,
  input: Omit<InputOf<typeof DeleteContact>, 'body'>,
  commandOf: (contactId: string) => ContactCommand,
): Promise<void> {
  const { id, profile_id: profileId } = await findContact(tools.sql, input.params.id, input.caller);
  const options = { metadata: metadataOf(input, profileId), onAppended: input.context.appended };
  await tools.store.handle(contactStream, id, commandOf(id), options);
}
