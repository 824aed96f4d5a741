import { FetchPeople, type AnswerOf, type SyncContacts } from '@messaging-gateway/contracts';
import { askHolder, type InputOf } from '@messaging-gateway/service';
import type { ContactTools } from './tools.ts';
import { requirePlace } from './changing.ts';
import { findContactSlot } from './contact-id.ts';
import { contactStream } from './contact.ts';
import { metadataOf } from './handling.ts';
import { absorbLid, forgetLid } from './known-by-lid.ts';

type Person = AnswerOf<typeof FetchPeople>['people'][number];
interface Synced {
  readonly created: number;
  readonly updated: number;
  /** People of whom the network told. */
  readonly total: number;
}

type Asked = InputOf<typeof SyncContacts>;

/** People of one page, and contacts written at once. */
const pageSize = 500;
const together = 50;

/** Takes the people of whom the network told into the contacts of a profile. */
export async function syncContacts(tools: ContactTools, input: Asked): Promise<Synced> {
  const { profileId } = input.body;
  const status = await requirePlace(tools, input.caller, profileId);
  const result = { created: 0, updated: 0, total: 0 };
  let after: string | undefined;
  do {
    const { people, next } = await fetchPage(tools, input, { status, after });
    for (let from = 0; from < people.length; from += together) {
      const some = people.slice(from, from + together);
      const outcomes = await Promise.all(some.map((person) => learn(tools, input, person)));
      for (const outcome of outcomes) if (outcome !== 'known') result[outcome] += 1;
    }
    result.total += people.length;
    after = next;
  } while (after !== undefined);
  return result;
}

async function fetchPage(
  tools: ContactTools,
  { body: { profileId }, caller: { organizationId }, context }: Asked,
  { status, after }: { readonly status: string | undefined; readonly after: string | undefined },
): Promise<AnswerOf<typeof FetchPeople>> {
  const { requestId, traceparent, deadline } = context;
  return askHolder(
    tools,
    FetchPeople,
    { organizationId, profileId, limit: pageSize, ...(after !== undefined && { after }) },
    { status, requestId, traceparent, deadline },
  );
}

async function learn(tools: ContactTools, input: Asked, person: Person): Promise<'created' | 'updated' | 'known'> {
  const { profileId } = input.body;
  const { phone, lid, name, pushName } = person;
  const place = { organizationId: input.caller.organizationId, profileId };
  const { contactId } = await findContactSlot(tools.sql, place, person);
  const metadata = metadataOf(input, profileId);
  const before = await absorbLid(tools.store, place, person);
  const { events } = await tools.store.handle(
    contactStream,
    contactId,
    { type: 'Learn', identity: { contactId, profileId, phone, lid }, name, pushName, before: before?.known },
    { metadata, onAppended: input.context.appended },
  );
  await forgetLid(tools.store, before, contactId, metadata);
  const [event] = events;
  return event?.type === 'ContactSaved' ? event.data.change : 'known';
}
