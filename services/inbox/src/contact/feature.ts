import {
  AddContactTags,
  CountContacts,
  CreateContact,
  DeleteContact,
  ExportContactsCsv,
  GetContact,
  ImportContacts,
  ImportContactsCsv,
  ListContacts,
  NamePeople,
  RemoveContactTags,
  SessionNumberChanged,
  SyncContacts,
  UpdateContact,
  ValidateNumber,
  ValidateNumbers,
} from '@messaging-gateway/contracts';
import {
  answer,
  feature,
  internalOperation,
  LiveProgress,
  operation,
  reaction,
  type GoingOn,
} from '@messaging-gateway/service';
import { chats } from '../chat/feature.ts';
import { countKeeping } from '../counting/keeping.ts';
import { contactsMigration } from './0002-contacts.migration.ts';
import { previousPhones } from './0012-previous-phones.migration.ts';
import { acquaintances } from './acquaintances.ts';
import { addTags, createContact, deleteContact, removeTags, updateContact } from './changing.ts';
import { contactStream } from './contact.ts';
import { contactsView } from './contacts-view.ts';
import { countContacts } from './counting-for-statistics.ts';
import { contactCounts } from './counts.ts';
import { importCsv } from './csv-importing.ts';
import { exportCsv } from './exporting.ts';
import { importContacts } from './importing.ts';
import { getContact, listContacts } from './listing.ts';
import { namePeople } from './naming.ts';
import { noteNumberChange } from './number-changes.ts';
import { validateNumber, validateNumbers } from './number-checks.ts';
import { contactsHeld } from './personal-data.ts';
import { contactsTell } from './publishing.ts';
import { syncContacts } from './syncing.ts';
import type { ContactTools } from './tools.ts';

/** People whom an organization knows: made by hand, imported, told by the network, or met as they wrote. */
export const contacts = feature({
  name: 'contacts',
  needs: { chats },
  streams: [contactStream],
  views: [contactsView],
  migrations: [contactsMigration, previousPhones],
  tells: [contactsTell],
  connect: (tools: ContactTools, needed) => {
    const progress = new LiveProgress({ kind: 'import.progress', ask: tools.ask, clock: tools.clock });
    const importing = { ...tools, imported: (theImport: GoingOn) => progress.moved(theImport) };
    return {
      api: acquaintances(tools),
      rows: [
        operation(ListContacts, (input) => listContacts(tools, input)),
        operation(CreateContact, (input) => createContact(tools, input)),
        operation(GetContact, (input) => getContact(tools, input)),
        operation(UpdateContact, (input) => updateContact(tools, input)),
        operation(DeleteContact, (input) => deleteContact(tools, input).then(() => answer(204))),
        operation(ValidateNumber, (input) => validateNumber(tools, input)),
        operation(ValidateNumbers, (input) => validateNumbers(tools, input)),
        operation(ImportContacts, (input) => importContacts(importing, input)),
        operation(ImportContactsCsv, (input) => importCsv(importing, input)),
        operation(ExportContactsCsv, (input) => exportCsv(tools, input)),
        operation(SyncContacts, (input) => syncContacts(tools, input)),
        operation(AddContactTags, (input) => addTags(tools, input)),
        operation(RemoveContactTags, (input) => removeTags(tools, input)),
        internalOperation(CountContacts, (body) => countContacts(tools.sql, body)),
        internalOperation(NamePeople, (body) => namePeople(tools, body)),
      ],
      hears: [
        reaction(SessionNumberChanged, (data, event) =>
          noteNumberChange({ ...tools, addressBook: needed.chats.addressBook }, data, event),
        ),
      ],
      jobs: [...countKeeping(tools, 'contacts', [contactCounts]), progress.job],
      personalData: contactsHeld,
    };
  },
});
