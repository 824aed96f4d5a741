import type { AnswerOf, DescribePerson, NamesOfPeople, NamesOfPerson } from '@messaging-gateway/contracts';
import type { ServiceTools, Sql } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { silentNow } from '../chat/handovers-view.ts';
import { chatWith } from './chats.ts';
import { knownOf } from './known-people.ts';
import { allNames, jidOf, namesIn, type Names } from './names.ts';

type Somebody = Static<(typeof DescribePerson)['body']>;
interface Tools {
  readonly sql: Sql;
}

export async function describePerson(
  { sql, clock }: Pick<ServiceTools<unknown>, 'sql' | 'clock'>,
  { jid, ...whose }: Somebody,
): Promise<AnswerOf<typeof DescribePerson>> {
  const people = await allNames(sql, whose.organizationId, namesIn([jid]));
  const [[person], chat] = await Promise.all([
    isGroup(jid) ? [] : knownOf(sql, whose, people),
    chatWith(sql, whose, jidsOf(jid, people.names)),
  ]);
  const about = {
    conversationId: chat.conversationId,
    handoverUntil: silentNow(chat.silencedUntil, clock.now()),
  };
  if (person === undefined) return { ...nobody, ...about };
  const { contactId, name, pushName, phone, lid, tags, metadata, blocked } = person;
  return { contactId, name, pushName, phone, lid, tags: [...tags], metadata: { ...metadata }, blocked, ...about };
}

const isGroup = (jid: string): boolean => jid.endsWith('@g.us');

const nobody = {
  contactId: null,
  name: null,
  pushName: null,
  phone: null,
  lid: null,
  tags: [],
  metadata: {},
  blocked: false,
};

export async function namesOfPerson(
  { sql }: Tools,
  { organizationId, jid }: Somebody,
): Promise<AnswerOf<typeof NamesOfPerson>> {
  return { jids: jidsOf(jid, (await allNames(sql, organizationId, namesIn([jid]))).names) };
}

/** All JIDs of somebody, that which was asked for first. */
const jidsOf = (jid: string, { phones, lids }: Names): string[] => [
  ...new Set([jid, ...phones.map((phone) => jidOf({ phone, lid: null })), ...lids]),
];

export async function namesOfPeople(
  { sql }: Tools,
  { organizationId, jids }: Static<(typeof NamesOfPeople)['body']>,
): Promise<AnswerOf<typeof NamesOfPeople>> {
  const known = await allNames(sql, organizationId, namesIn(jids));
  const { phones, lids } = known.names;
  const phonesOf = Map.groupBy(phones, (name) => known.personOf(name));
  const lidsOf = Map.groupBy(lids, (name) => known.personOf(name));
  const people = jids.map((jid) => {
    const {
      phones: [phone],
      lids: [lid],
    } = namesIn([jid]);
    const person = known.personOf(phone ?? lid ?? jid);
    return { phones: phonesOf.get(person) ?? [], lids: lidsOf.get(person) ?? [] };
  });
  return { people };
}
