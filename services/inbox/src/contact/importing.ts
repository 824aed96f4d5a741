import {
  ImportedContact,
  check,
  normalizePhone,
  type BodyOf,
  type CreateContact,
  type ImportContacts,
  type ImportResult,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { auditMarkOf, more, type InputOf, type Reply } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { ContactTools, ImportTools } from './tools.ts';
import { requirePlace } from './changing.ts';
import { fullAt } from './counts.ts';
import { contactIdsOf } from './contact-id.ts';
import { contactStream } from './contact.ts';
import { metadataFault, metadataOf } from './handling.ts';

export type Imported = Static<typeof ImportResult>;

/** One contact of an import, and where it stands: its line, or its place in the list. */
export interface ImportRow {
  readonly line: number;
  readonly contact: unknown;
}

/** Errors that an answer names; all are counted. */
const mostErrors = 1000;
/** Contacts written at once. */
const together = 250;

export const nothingImported = (): Imported => ({ created: 0, updated: 0, failed: 0, errors: [] });

export function noteFailed(result: Imported, line: number, message: string): void {
  result.failed += 1;
  if (result.errors.length < mostErrors) result.errors.push({ line, message });
}

/** Progress, which the answer to a piece hands to the next one. */
interface Progress {
  readonly result: Imported;
  readonly count: number;
}

/** Contacts of a list, piece after piece. */
export async function importContacts(
  tools: ImportTools,
  input: InputOf<typeof ImportContacts>,
): Promise<Imported | Reply> {
  const { body, context } = input;
  const { result, count } = (context.piece?.state as Progress | undefined) ?? { result: nothingImported(), count: 0 };
  if (context.piece?.state === undefined) await requirePlace(tools, input.caller, body.profileId);
  const rows = body.contacts.map((contact, index) => ({ line: count + index + 1, contact }));
  await importRows(tools, input, body.profileId, rows, result);
  return context.piece?.isLast === false ? more({ result, count: count + rows.length } satisfies Progress) : result;
}

type Fields = Pick<BodyOf<typeof CreateContact>, 'phone' | 'name' | 'tags' | 'metadata' | 'blocked'>;
type Asked = Pick<InputOf<typeof ImportContacts>, 'caller' | 'context'>;

/** Makes or changes the contacts of rows, and adds what became of them to the result. Rows of one phone in their order. */
export async function importRows(
  tools: ImportTools,
  asked: Asked,
  profileId: string | undefined,
  rows: readonly ImportRow[],
  result: Imported,
): Promise<void> {
  for (let from = 0; from < rows.length; from += together) {
    const some = rows.slice(from, from + together);
    const full = await fullAt(tools.sql, asked.caller.organizationId, tools.settings.contactQuota);
    const read = some.map(({ contact }) => readRow(contact));
    const phones = read.flatMap((row) => ('phone' in row ? [row.phone] : []));
    const place = { organizationId: asked.caller.organizationId, profileId };
    const ids = await contactIdsOf(tools.sql, place, phones);
    const idOf = new Map(phones.map((phone, index) => [phone, ids[index] ?? '']));
    const outcomes = await Promise.all(
      read.map(async (row) =>
        'fault' in row ? row : importOne(tools, asked, { contactId: idOf.get(row.phone) ?? '', profileId, full }, row),
      ),
    );
    outcomes.forEach((outcome, index) => {
      if (outcome === 'created' || outcome === 'updated') result[outcome] += 1;
      else noteFailed(result, some[index]?.line ?? 0, outcome.fault);
    });
    const { created, updated, failed } = result;
    const { context, caller } = asked;
    const { requestId, resourceId: id } = context;
    const { organizationId, userId } = caller;
    tools.imported({ id, organizationId, profileId, figures: { requestId, userId, created, updated, failed } });
  }
}

/** Refusals of one contact, which stop no other. */
const ofOneContact: ReadonlySet<string> = new Set(['VALIDATION_ERROR', 'QUOTA_REACHED']);

type Outcome = 'created' | 'updated' | { readonly fault: string };

/** A contact of an import, with the digits of its phone. */
interface ReadRow {
  readonly phone: string;
  readonly given: Omit<Fields, 'phone'>;
}

function readRow(contact: unknown): ReadRow | { readonly fault: string } {
  const fault = faultOf(contact);
  if (fault !== undefined) return { fault };
  const { phone, ...given } = contact as Fields;
  return { phone: normalizePhone(phone) as string, given };
}

interface ImportSlot {
  readonly contactId: string;
  readonly profileId: string | undefined;
  /** See the command `Save`. */
  readonly full: number | undefined;
}

async function importOne(
  tools: ContactTools,
  asked: Asked,
  { contactId, profileId, full }: ImportSlot,
  { phone, given }: ReadRow,
): Promise<Outcome> {
  const audit = auditMarkOf(asked.context);
  try {
    const { events } = await tools.store.handle(
      contactStream,
      contactId,
      { type: 'Save', identity: { contactId, profileId, phone }, given, full },
      { metadata: { ...metadataOf(asked, profileId), ...(audit && { audit }) } },
    );
    const isNew = events.some((event) => event.type === 'ContactSaved' && event.data.change === 'created');
    return isNew ? 'created' : 'updated';
  } catch (error) {
    if (error instanceof Refused && ofOneContact.has(error.code))
      return { fault: error.message.replace(/^body\./, '') };
    throw error;
  }
}

/** One sentence on what is wrong with a contact, or nothing. */
function faultOf(contact: unknown): string | undefined {
  const [fault] = check(ImportedContact, contact, 'contact');
  if (fault !== undefined) return `${fault.path.replace(/^contact\./, '')} ${fault.message}`;
  const tooLarge = metadataFault((contact as Fields).metadata);
  return tooLarge === undefined ? undefined : `metadata ${tooLarge}`;
}
