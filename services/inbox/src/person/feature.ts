import { ChangeTags, DescribePerson, ListAudience, NamesOfPeople, NamesOfPerson } from '@messaging-gateway/contracts';
import { feature, internalOperation, type ServiceTools } from '@messaging-gateway/service';
import { contactsInOrder } from './0009-contacts-in-order.migration.ts';
import { listAudience } from './audience.ts';
import { describePerson, namesOfPeople, namesOfPerson } from './describing.ts';
import { changeTags } from './tagging.ts';

/** People behind contacts: one person may have several, by phone and by LID, of a profile and of the whole organization. */
export const people = feature({
  name: 'people',
  migrations: [contactsInOrder],
  connect: (tools: ServiceTools<unknown>) => ({
    rows: [
      internalOperation(ListAudience, (body) => listAudience(tools, body)),
      internalOperation(DescribePerson, (body) => describePerson(tools, body)),
      internalOperation(ChangeTags, (body) => changeTags(tools, body)),
      internalOperation(NamesOfPerson, (body) => namesOfPerson(tools, body)),
      internalOperation(NamesOfPeople, (body) => namesOfPeople(tools, body)),
    ],
  }),
});
