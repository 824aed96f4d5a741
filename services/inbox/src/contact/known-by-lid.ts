import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import type { ServiceTools } from '@messaging-gateway/service';
import { contactIdOf, type ContactPlace } from './contact-id.ts';
import { contactStream, type ContactState } from './contact.ts';

type Store = ServiceTools<unknown>['store'];

/** The contact as which a person was kept while only the LID was known. */
interface KnownByLid {
  readonly contactId: string;
  /** Absent: what was kept has gone, but for when the person first wrote. */
  readonly known?: ContactState;
  readonly firstHeard?: string;
}

/** Takes over what was kept under the LID of a person whose phone is known; it is forgotten then. */
export async function absorbLid(
  store: Store,
  place: ContactPlace,
  { phone, lid }: { readonly phone?: string | undefined; readonly lid?: string | undefined },
): Promise<KnownByLid | undefined> {
  if (phone === undefined || lid === undefined) return undefined;
  const contactId = contactIdOf(place, lid);
  const { known, firstHeard } = (await store.load(contactStream, contactId)).state;
  if (known === undefined && firstHeard === undefined) return undefined;
  return { contactId, ...(known && { known }), ...(firstHeard !== undefined && { firstHeard }) };
}

/** The person goes on under the phone, as the contact `into`. */
export async function forgetLid(
  store: Store,
  before: KnownByLid | undefined,
  into: string,
  metadata: EventMetadata,
): Promise<void> {
  if (before?.known === undefined) return;
  const { contactId } = before;
  await store.handle(contactStream, contactId, { type: 'Delete', contactId, into }, { metadata });
}
