import type { AnswerOf, BodyOf, ChangeTags } from '@messaging-gateway/contracts';
import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import { invalid } from '@messaging-gateway/messaging';
import type { ServiceTools } from '@messaging-gateway/service';
import { v7 } from 'uuid';
import { findContactSlot } from '../contact/contact-id.ts';
import { contactStream, type ContactCommand } from '../contact/contact.ts';
import { knownOf } from './known-people.ts';
import { allNames, namesIn, type Names } from './names.ts';

type Tools = Pick<ServiceTools<unknown>, 'sql' | 'store'>;
type Asked = BodyOf<typeof ChangeTags>;

/**
 * Changes the tags of a person. All contacts of a person are joined when they are described, so that a tag is gone only when none
 * has it.
 *
 * @throws Refused VALIDATION_ERROR for a group, and for more tags than a contact can have
 */
export async function changeTags(tools: Tools, asked: Asked): Promise<AnswerOf<typeof ChangeTags>> {
  const { organizationId, profileId, jid, add, remove } = asked;
  const given = namesIn([jid]);
  if (given.phones.length + given.lids.length === 0) throw invalid([{ path: 'body.jid', message: 'must be a person' }]);
  const whose = { organizationId, profileId };
  const find = async () => {
    const people = await allNames(tools.sql, organizationId, given);
    const [person] = await knownOf(tools.sql, whose, people);
    return { names: people.names, person };
  };
  const { names, person } = await find();
  const metadata = metadataOf(asked);
  if (person === undefined) {
    if (add.length > 0) await meet(tools, asked, names, metadata);
  } else
    for (const [place, { id: contactId }] of person.contacts.entries()) {
      const command = { type: 'ChangeTags', contactId, add: place === 0 ? add : [], remove } as const;
      await handle(tools, contactId, command, { metadata, once: onceOf(asked, place === 0 ? '' : contactId) });
    }
  const now = (await find()).person;
  return { contactId: now?.contactId ?? null, tags: [...(now?.tags ?? [])] };
}

/** Makes a contact of a stranger, with the id that a message would give it. */
async function meet(tools: Tools, asked: Asked, names: Names, metadata: EventMetadata): Promise<void> {
  const { profileId, jid, add } = asked;
  const [phone, lid] = [nameOf(jid, names.phones), nameOf(jid, names.lids)];
  const { contactId } = await findContactSlot(tools.sql, asked, { phone, lid });
  const identity = { contactId, profileId, ...(phone !== undefined && { phone }), ...(lid !== undefined && { lid }) };
  const command = { type: 'Save', identity, given: { tags: add } } as const;
  await handle(tools, contactId, command, { metadata, once: onceOf(asked, '') });
}

/** The one that was asked for, else the only one that is known. */
const nameOf = (jid: string, names: readonly string[]): string | undefined =>
  names.find((name) => jid === name || jid === `${name}@c.us`) ?? (names.length === 1 ? names[0] : undefined);

const onceOf = ({ once }: Asked, contactId: string): string => `tags ${once} ${contactId}`;

interface Options {
  readonly metadata: EventMetadata;
  readonly once: string;
}

const handle = ({ store }: Tools, contactId: string, command: ContactCommand, options: Options): Promise<unknown> =>
  store.handle(contactStream, contactId, command, options);

/** With one entry of the audit for all contacts of the person. */
const metadataOf = ({ organizationId, profileId, actor, add }: Asked): EventMetadata => ({
  organizationId,
  profileId,
  subject: `organization:${organizationId}`,
  actor,
  audit: { id: v7(), action: add.length > 0 ? 'contact.add_tags' : 'contact.remove_tags' },
});
