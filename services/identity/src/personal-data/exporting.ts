import { personalDataHolders } from '@messaging-gateway/contracts';
import {
  cursorRefused,
  decodeCursor,
  encodeCursor,
  readPersonalData,
  type OperationInput,
  type PersonalItems,
  type Whose,
} from '@messaging-gateway/service';
import type { EntityManager } from '@mikro-orm/postgresql';
import { MemberRow } from '../member/members-view.ts';
import type { IdentityTools } from '../tools.ts';
import { ownSections } from './own-data.ts';
import { readOwnDocuments } from './own-documents.ts';

type Read = (tools: IdentityTools, asked: Whose & { readonly cursor?: string }) => Promise<PersonalItems>;

/** Those who hold something, in the order in which the document has it. */
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
  { caller, query, context }: OperationInput<unknown>,
): Promise<{ text: string; nextCursor: string | null }> {
  const { userId, organizationId } = caller;
  const place = decodeCursor(query['cursor'], ['number', 'text', 'text']) as [number, string, string] | undefined;
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
  const begin = place === undefined ? `{"exportedAt":${JSON.stringify(new Date(tools.clock.now()))},"sections":{` : '';
  const { text, last } = listed(items, open);
  const next = nextCursor === null ? at + 1 : at;
  if (next >= holders.length) return { text: `${begin}${text}${last === '' ? '' : ']'}}}`, nextCursor: null };
  return { text: begin + text, nextCursor: encodeCursor([next, nextCursor ?? '', last]) };
}

/** Items as members of lists. @param open the list that the text before ends in; '' at the beginning */
function listed(items: PersonalItems['items'], open: string): { text: string; last: string } {
  let last = open;
  let text = '';
  for (const { section, item } of items) {
    if (section === last) text += ',';
    else text += `${last === '' ? '' : '],'}${JSON.stringify(section)}:[`;
    text += JSON.stringify(item ?? null);
    last = section;
  }
  return { text, last };
}

/** An only member is given all that the organization has. */
const isAlone = async (em: EntityManager, userId: string): Promise<boolean> =>
  (await em.findOne(MemberRow, { user: { $ne: userId } })) === null;
