import { personalDataHolders, type ExportAccount } from '@messaging-gateway/contracts';
import {
  cursorRefused,
  decodeCursor,
  encodeCursor,
  readPersonalData,
  type InputOf,
  type PersonalItems,
  type Whose,
} from '@messaging-gateway/service';
import type { EntityManager } from '@mikro-orm/postgresql';
import { MemberRow } from '../organization/members-view.ts';
import type { IdentityTools } from '../tools.ts';
import { ownSections } from './own-data.ts';
import { readOwnDocuments } from './own-documents.ts';

type Read = (tools: IdentityTools, asked: Whose & { readonly cursor?: string }) => Promise<PersonalItems>;

/** Services that hold something, in the order in which the document has it. */
const holders: readonly Read[] = [
  (tools, asked) => readPersonalData(tools, asked, ownSections),
  readOwnDocuments,
  ...personalDataHolders.map(
    ({ read }): Read =>
      ({ ask }, asked) =>
        ask(read, asked),
  ),
];

/**
 * A page of the document: a holder's next items, after what closes and opens the lists around them. The cursor holds the
 * holder, its own cursor, and the list that is open.
 */
export async function exportAccount(
  tools: IdentityTools,
  { caller, query, context }: InputOf<typeof ExportAccount>,
): Promise<{ text: string; nextCursor: string | null }> {
  const { userId, organizationId } = caller;
  const place = decodeCursor(query.cursor, ['number', 'text', 'text']) as [number, string, string] | undefined;
  const [at, inner, open] = place ?? [0, '', ''];
  const asked = {
    userId,
    organizationId,
    wholeOrganization: await isAlone(context.em(), userId),
    ...(inner !== '' && { cursor: inner }),
  };
  const read = holders[at];
  // A cursor that this route never gave must not lead past its end again and again.
  if (read === undefined) throw cursorRefused();
  const { items, nextCursor } = await read(tools, asked);
  const { text, openSection } = sectionsText(items, open);
  const opened = place === undefined ? documentStart(tools.clock.now()) + text : text;
  const next = nextCursor === null ? at + 1 : at;
  if (next >= holders.length) return { text: opened + documentEnd(openSection), nextCursor: null };
  return { text: opened, nextCursor: encodeCursor([next, nextCursor ?? '', openSection]) };
}

/** The document is `{"exportedAt":…,"sections":{"user":[…],"sessions":[…],…}}`, of which each page is a piece of text. */
const documentStart = (now: number): string => `{"exportedAt":${JSON.stringify(new Date(now))},"sections":{`;
const documentEnd = (openSection: string): string => `${sectionEnd(openSection)}}}`;
const sectionStart = (section: string): string => `${JSON.stringify(section)}:[`;
const sectionEnd = (openSection: string): string => (openSection === '' ? '' : ']');

/** Items in the lists of their sections. @param open the section in which the text before ends; '' at the beginning */
function sectionsText(items: PersonalItems['items'], open: string): { text: string; openSection: string } {
  let openSection = open;
  const pieces = items.map(({ section, item }) => {
    const isFirst = section !== openSection;
    const endBefore = isFirst ? sectionEnd(openSection) : '';
    const comma = openSection === '' ? '' : ',';
    openSection = section;
    return `${endBefore}${comma}${isFirst ? sectionStart(section) : ''}${JSON.stringify(item ?? null)}`;
  });
  return { text: pieces.join(''), openSection };
}

/** An only member is given all that the organization has. */
const isAlone = async (em: EntityManager, userId: string): Promise<boolean> =>
  (await em.findOne(MemberRow, { user: { $ne: userId } })) === null;
