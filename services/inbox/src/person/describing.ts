import type { AnswerOf, DescribePerson, NamesOfPeople, NamesOfPerson } from '@messaging-gateway/contracts';
import type { Sql } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { knownPeople } from './known-people.ts';
import { allNames, jidOf, namesIn } from './names.ts';

type Somebody = Static<(typeof DescribePerson)['body']>;
interface Tools {
  readonly sql: Sql;
}

export async function describePerson(
  { sql }: Tools,
  { jid, ...whose }: Somebody,
): Promise<AnswerOf<typeof DescribePerson>> {
  const [person] = await knownPeople(sql, whose, namesIn([jid]));
  if (person === undefined) return nobody;
  const { contactId, name, pushName, phone, lid, tags, metadata, blocked } = person;
  return { contactId, name, pushName, phone, lid, tags: [...tags], metadata: { ...metadata }, blocked };
}

const nobody: AnswerOf<typeof DescribePerson> = {
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
  const { phones, lids } = (await allNames(sql, organizationId, namesIn([jid]))).names;
  const jids = [...phones.map((phone) => jidOf({ phone, lid: null })), ...lids];
  return { jids: [...new Set([jid, ...jids])] };
}

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
